import { type DirectoryDefinition, defineDirectory, defineSecretDirectory } from '../../core/directories/directory-definition.ts'
import { groupDirectory, groupMembers, subGroups, userDirectory } from '../../core/directories/people.ts'
import { alike, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const emailPattern = '[^@]+@[^\\.]+\\..+'

const user = defineSchema('user', {
  prefix: 'user',
  fields: {
    ...alike(string(), 'username', 'password', 'firstName', 'lastName', 'company'),
    email: string({ pattern: emailPattern }),
    groups: list(string()),
    tenantId: string(),
  },
})

const group = defineSchema('group', {
  prefix: 'group',
  fields: {
    ...alike(string(), 'groupname', 'grouplabel', 'description'),
    ...alike(list(string()), 'members', 'subGroups', 'parentGroups'),
    tenantId: string(),
  },
})

const digestauth = defineSchema('digestauth', { fields: alike(string(), 'username', 'password') })

export const peopleSchemas = [user, group, digestauth]

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
  defineSecretDirectory('digestauth', { schema: 'digestauth', idField: 'username', passwordField: 'password' }),
]
