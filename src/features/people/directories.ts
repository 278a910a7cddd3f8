import { type DirectoryDefinition, defineDirectory } from '../../core/directories/directory-definition.ts'
import { groupDirectory, groupMembers, subGroups, userDirectory } from '../../core/directories/people.ts'

export const users = defineDirectory(userDirectory, {
  schema: 'user',
  idField: 'username',
  passwordField: 'password',
  types: ['system'],
  querySizeLimit: 50,
  searchFields: ['username', 'firstName', 'lastName'],
  indexedFields: ['email'],
  references: [{ field: 'groups', reference: groupMembers, end: 'sources', directory: groupDirectory }],
})

/** Users and groups are directories like others, with references between their entries and a password that never leaves. */
export const peopleDirectories: readonly DirectoryDefinition[] = [
  users,
  defineDirectory(groupDirectory, {
    schema: 'group',
    idField: 'groupname',
    types: ['system'],
    searchFields: ['groupname', 'grouplabel'],
    references: [
      { field: 'members', reference: groupMembers, end: 'targets', directory: userDirectory },
      { field: 'subGroups', reference: subGroups, end: 'targets', directory: groupDirectory },
      { field: 'parentGroups', reference: subGroups, end: 'sources', directory: groupDirectory },
    ],
    dataFile: async () => [
      { groupname: 'administrators', grouplabel: 'Administrators group' },
      { groupname: 'members', grouplabel: 'Members group' },
      { groupname: 'powerusers', grouplabel: 'Power users group' },
    ],
  }),
]
