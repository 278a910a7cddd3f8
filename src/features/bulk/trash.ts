import { defineProblem } from '../../base/problem.ts'
import { defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { findStored } from '../../core/documents/read-document.ts'
import { trashDocument } from '../../core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../core/documents/trash/untrash-document.ts'

export const truthExpected = defineProblem(
  'truthExpected',
  'invalid',
  (of: { parameter: string }) => `The parameter ${of.parameter} of the action must be true or false`,
)

/** Puts documents into the trash, or takes them out of it when the parameter `value` is false. */
export const trash = defineBulkAction({
  name: 'trash',
  isOpen: false,
  check({ value = true }) {
    if (typeof value !== 'boolean') throw truthExpected({ parameter: 'value' })
  },
  async run(session, id, { value = true }) {
    // One that was below another of them is where it should be already, or gone with it.
    if ((await findStored(session, id)) === undefined) return
    await (value === true ? trashDocument(session, id) : untrashDocument(session, id))
  },
})
