import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { aceInfoDirectory } from '../../core/documents/rights/ace-note.ts'

/** The notes beside entries, for administrators only: comments tell why somebody was given a right. */
export const aceInfo = defineDirectory(aceInfoDirectory, {
  schema: 'aceinfo',
  types: ['system'],
  permissions: { read: [], write: [] },
})
