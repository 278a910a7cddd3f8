import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { readSentProperties } from '../../automation/values/read-sent-properties.ts'
import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { copyDocument } from '../../core/documents/place/copy-document.ts'
import { moveDocument } from '../../core/documents/place/move-document.ts'
import { orderBefore } from '../../core/documents/place/order-children.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import { removeDocuments } from '../../core/documents/remove-documents.ts'
import { setLocalAcl, splitLocalAcl } from './properties.ts'

export const otherFolder = defineProblem(
  'otherFolder',
  'invalid',
  (_: { id: string; before: string | null }) => 'The document can only be ordered within the same folder.',
)

export const create = defineOperation({
  id: 'Document.Create',
  category: 'Document',
  description: 'Creates a document below the input.',
  effect: 'writes',
  params: {
    type: required('string', { description: 'A document type' }),
    name: defaulted('string', 'Untitled', { description: 'The last part of its path; one that is taken gets a number' }),
    properties: optional('properties'),
  },
  run: ({ each }) => [
    each('document', 'document', async (parent, { session, context, params }) => {
      const { localAcl, properties } = splitLocalAcl(params.properties ?? {})
      const created = await createDocument(session, {
        parent,
        type: params.type,
        name: params.name,
        properties: (empty) => readSentProperties(context, empty, properties),
      })
      return localAcl === undefined ? created : setLocalAcl(session, created, localAcl)
    }),
  ],
})

const target = required('document', { description: 'The folder that it goes into' })
const newName = optional('string', { description: 'The name it gets there; its own when absent' })

export const copy = defineOperation({
  id: 'Document.Copy',
  category: 'Document',
  description: 'Copies the document, with all below it, into a folder.',
  effect: 'writes',
  params: { target, name: newName },
  run: ({ each }) => [
    each('document', 'document', ({ id }, { session, params }) => copyDocument(session, id, destinationOf(params))),
  ],
})

export const move = defineOperation({
  id: 'Document.Move',
  category: 'Document',
  description: 'Moves the document, with all below it, into a folder.',
  effect: 'writes',
  params: { target, name: newName },
  run: ({ each }) => [
    each('document', 'document', ({ id }, { session, params }) => moveDocument(session, id, destinationOf(params))),
  ],
})

export const order = defineOperation({
  id: 'Document.Order',
  category: 'Document',
  description: 'Puts the document before another one of its folder, or at the end. Only a folder that keeps an order changes.',
  effect: 'writes',
  params: { before: optional('document', { description: 'The document behind it; absent, it goes to the end' }) },
  run: ({ each }) => [
    each('document', 'document', async ({ id, parentId }, { session, params: { before } }) => {
      const isElsewhere = before !== undefined && before.parentId !== parentId
      if (parentId === null || isElsewhere) throw otherFolder({ id, before: before?.id ?? null })
      await orderBefore(session, parentId, id, before?.id ?? null)
      return readDocument(session, id)
    }),
  ],
})

export const deleteForGood = defineOperation({
  id: 'Document.Delete',
  category: 'Document',
  description: 'Removes the document for good, with all below it.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('document', 'document', async ({ id }, { session }) => {
      await removeDocument(session, id)
      return undefined
    }),
    on('documents', 'documents', async (documents, { session }) => {
      await removeDocuments(
        session,
        documents.map(({ id }) => id),
      )
      return []
    }),
  ],
})

function destinationOf({ target: folder, name }: { target: { readonly id: string }; name?: string | undefined }) {
  return { parentId: folder.id, ...(name !== undefined && { name }) }
}
