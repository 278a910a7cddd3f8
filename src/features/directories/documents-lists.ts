import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { everyone } from '../../model/principal.ts'

/** Lists of documents that older clients kept for their users; everybody has some. */
export const documentsLists = defineDirectory('documentsLists', {
  schema: 'documentsLists',
  types: ['system'],
  permissions: { read: [everyone], write: [everyone] },
})
