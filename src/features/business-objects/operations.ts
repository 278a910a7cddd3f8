import { defineOperation, type Operation } from '../../automation/operation.ts'
import { required } from '../../automation/parameter.ts'
import { readReference } from '../../automation/values/convert-value.ts'
import { readSentChanges, readSentProperties } from '../../automation/values/read-sent-properties.ts'
import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { adaptDocument, propertiesOf, readBusinessObject, requireAdaptable } from './adapted-document.ts'

const category = 'Business'

export const businessFieldMissing = defineProblem(
  'businessFieldMissing',
  'invalid',
  (of: { field: string }) => `The value of the business object must have a text in ${of.field}.`,
)

const create = defineOperation({
  id: 'Business.BusinessCreateOperation',
  category,
  description: 'Creates the document that a business object stands for.',
  effect: 'writes',
  params: {
    parentPath: required('string', { description: 'The path or id of the folder' }),
    name: required('string', { description: 'Of the document in the folder' }),
  },
  run: ({ on }) => [
    on('businessadapter', 'businessadapter', async ({ type, value }, { params, session, context }) => {
      const object = readBusinessObject(context.services, type)
      const created = await createDocument(session, {
        parent: await readReference(context, params.parentPath),
        type: readText(value, 'type'),
        name: params.name,
        properties: (empty) => {
          requireAdaptable(session, object, empty)
          return readSentProperties(context, empty, propertiesOf(object, value))
        },
      })
      return adaptDocument(session, object, created, context.host.baseUrl)
    }),
  ],
})

const fetch = defineOperation({
  id: 'Business.BusinessFetchOperation',
  category,
  description: 'Reads a business object again.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('businessadapter', 'businessadapter', async ({ type, value }, { session, context }) => {
      const object = readBusinessObject(context.services, type)
      return adaptDocument(session, object, await readAdapted(session, value), context.host.baseUrl)
    }),
  ],
})

const update = defineOperation({
  id: 'Business.BusinessUpdateOperation',
  category,
  description: 'Saves a business object. Fields that it leaves out stay as they are.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('businessadapter', 'businessadapter', async ({ type, value }, { session, context }) => {
      const object = readBusinessObject(context.services, type)
      const document = await readAdapted(session, value)
      requireAdaptable(session, object, document)
      const changes = await readSentChanges(context, document, propertiesOf(object, value))
      return adaptDocument(session, object, await saveDocument(session, document.id, changes), context.host.baseUrl)
    }),
  ],
})

function readAdapted(session: Session, value: JsonObject): Promise<Document> {
  return readDocument(session, readText(value, 'id'))
}

export function readText(value: JsonObject, field: string): string {
  const text = value[field]
  if (typeof text !== 'string' || text === '') throw businessFieldMissing({ field })
  return text
}

export const businessOperations: readonly Operation[] = [create, fetch, update]
