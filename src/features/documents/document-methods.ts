import { createDocument } from '../../core/documents/create-document.ts'
import { noContent } from '../../rest/answer.ts'
import { jsonAnswer } from '../../rest/openapi/answers.ts'
import { documentBody, documentChangeBody } from '../../rest/payload/document-payload.ts'
import { documentSchema } from '../../rest/render/document-entity.ts'
import { invalidAnswer } from '../../rest/render/exception-entity.ts'
import { type MethodTable, type ResourceCall, requireDocument, resourceMethod } from '../../rest/resource.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { prepareCreation, readCreation } from './create-document.ts'
import { removeAddressed } from './remove-addressed.ts'
import { prepareUpdate, saveUpdate } from './update-document.ts'

/** What can be done to a document, however it is addressed. */
export const documentMethods: MethodTable<ResourceCall> = {
  GET: {
    summary: 'Read the document',
    answers: { 200: documentSchema, 403: 'may not be read', 404: 'does not exist' },
    handle: ({ exchange, resolve }) => exchange.read(async (session) => writeResource(exchange, session, await resolve(session))),
  },
  POST: resourceMethod({
    summary: 'Create a document below this one',
    body: documentBody,
    answers: { 201: documentSchema, 400: invalidAnswer('not valid'), 403: 'may not be created here' },
    handle: async ({ exchange, resolve, sent }) => {
      const prepared = await prepareCreation(exchange, sent.body)
      return exchange.write(async (session) => {
        const parent = requireDocument(await resolve(session))
        const document = await createDocument(session, await readCreation(session, exchange, prepared, parent))
        return writeResource(exchange, session, { kind: 'document', document }, 201)
      })
    },
  }),
  PUT: resourceMethod({
    summary: 'Change properties of the document; those not sent stay',
    body: documentChangeBody,
    answers: {
      200: jsonAnswer(documentSchema, 'The document, or its newest version when one was asked for'),
      400: invalidAnswer('not valid'),
      409: 'changed by someone else',
    },
    handle: async ({ exchange, resolve, sent }) => {
      const update = await prepareUpdate(exchange, sent.body)
      return exchange.write(async (session) => {
        const document = await saveUpdate(session, exchange, update, requireDocument(await resolve(session)))
        return writeResource(exchange, session, { kind: 'document', document })
      })
    },
  }),
  DELETE: {
    summary: 'Remove the document for good, with everything below it',
    answers: { 204: 'removed', 403: 'may not be removed', 409: 'kept by retention, or shown by a proxy' },
    handle: ({ exchange, resolve }) =>
      exchange.write(async (session) => {
        await removeAddressed(session, requireDocument(await resolve(session)))
        return noContent()
      }),
  },
}
