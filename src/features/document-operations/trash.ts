import { defineOperation } from '../../automation/operation.ts'
import { required } from '../../automation/parameter.ts'
import { emptyTrash } from '../../core/documents/trash/empty-trash.ts'
import { trashDocument, trashDocuments } from '../../core/documents/trash/trash-document.ts'
import { untrashDocuments } from '../../core/documents/trash/untrash-document.ts'
import type { Document } from '../../model/document.ts'

export const trash = defineOperation({
  id: 'Document.Trash',
  category: 'Document',
  description: 'Puts the document into the trash. A proxy is removed for good.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('document', 'document', ({ id }, { session }) => trashDocument(session, id)),
    on('documents', 'documents', (documents, { session }) => trashDocuments(session, documents.map(idOf))),
  ],
})

export const untrash = defineOperation({
  id: 'Document.Untrash',
  category: 'Document',
  description: 'Takes the document out of the trash, and what it is in as far as need be.',
  effect: 'writes',
  params: {},
  run: ({ on }) => [
    on('document', 'document', async ({ id }, { session }) => (await untrashDocuments(session, [id]))[0]),
    on('documents', 'documents', async (documents, { session }) =>
      documents.length === 0 ? [] : untrashDocuments(session, documents.map(idOf)),
    ),
  ],
})

export const emptyTrashOf = defineOperation({
  id: 'Document.EmptyTrash',
  category: 'Document',
  description: 'Removes for good what is in the trash of a folder.',
  effect: 'writes',
  params: { parent: required('document', { description: 'The folder' }) },
  run: ({ on }) => [
    on('void', 'void', async (_, { session, params }) => {
      await emptyTrash(session, params.parent.id)
    }),
  ],
})

function idOf({ id }: Document): string {
  return id
}
