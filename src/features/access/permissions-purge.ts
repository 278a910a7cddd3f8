import { defineProblem } from '../../base/problem.ts'
import { defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { findStored } from '../../core/documents/read-document.ts'
import { removePermissions } from '../../core/documents/rights/remove-permission.ts'

export const namesExpected = defineProblem(
  'namesExpected',
  'invalid',
  (_: object) => 'The parameter usernames must be a list of names of users or groups.',
)

/** Takes every entry of the users and groups that the parameter `usernames` lists from each document, whichever list it is in. */
export const permissionsPurge = defineBulkAction({
  name: 'permissionsPurge',
  isOpen: false,
  check({ usernames }) {
    const isName = (name: unknown) => typeof name === 'string' && name !== ''
    if (!Array.isArray(usernames) || usernames.length === 0 || !usernames.every(isName)) throw namesExpected({})
  },
  async run(session, id, { usernames }) {
    const document = await findStored(session, id)
    if (document === undefined || document.isVersion) return
    await removePermissions(session, id, usernames as readonly string[])
  },
})
