export { userDirectory } from '../../store/directories.ts'

// The two directories that say who exists, and the references between their entries.

export const groupDirectory = 'groupDirectory'
/** From a group to its users. */
export const groupMembers = 'members'
/** From a group to the groups in it. */
export const subGroups = 'subGroups'
