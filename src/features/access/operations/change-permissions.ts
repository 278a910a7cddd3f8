import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { findText, notConvertible } from '../../../automation/values/convert-value.ts'
import type { Value } from '../../../automation/values/value.ts'
import { addPermission } from '../../../core/documents/rights/add-permission.ts'
import { removePermission } from '../../../core/documents/rights/remove-permission.ts'
import { replacePermission } from '../../../core/documents/rights/replace-permission.ts'
import { acl, period, telling } from './permission-parameters.ts'

export const addPermissionOperation = ({ uniqueGuest }: { readonly uniqueGuest: boolean }) =>
  defineOperation({
    id: 'Document.AddPermission',
    aliases: ['Document.AddACL'],
    category: 'Document',
    description: 'Grants users, groups or somebody with an e-mail address a permission on the document.',
    effect: 'writes',
    params: {
      permission: required('string'),
      users: optional('list', { description: 'Names of users and groups' }),
      username: optional('string', { aliases: ['user'], description: 'One more name' }),
      email: optional('string', { description: 'Of somebody without an account; counts only without names, and needs an end' }),
      acl,
      ...period,
      blockInheritance: defaulted('boolean', false, { description: 'Shut out inherited rights first' }),
      ...telling,
    },
    run: ({ each }) => [
      each('document', 'document', (document, { session, params }) => {
        const { users = [], username, email, begin = null, end = null, comment = null, ...rest } = params
        return addPermission(session, document.id, {
          ...rest,
          users: [...namesIn(users), ...(username === undefined ? [] : [username])],
          ...(email !== undefined && { email }),
          begin,
          end,
          comment,
          uniqueGuest,
        })
      }),
    ],
  })

function namesIn(values: readonly Value[]): readonly string[] {
  return values
    .filter(({ kind }) => kind !== 'nothing')
    .map((value) => {
      const name = findText(value)
      if (name === undefined) throw notConvertible({ given: value.kind, wanted: 'name of a user or group' })
      return name
    })
}

export const replacePermissionOperation = defineOperation({
  id: 'Document.ReplacePermission',
  category: 'Document',
  description: 'Puts a grant in the place of an entry of the document.',
  effect: 'writes',
  params: {
    username: required('string', { aliases: ['user'], description: 'A user or a group' }),
    permission: required('string'),
    id: required('string', { description: 'Of the entry to be replaced: username:permission:granted:creator:begin:end' }),
    acl,
    ...period,
    ...telling,
  },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params }) => {
      const { begin = null, end = null, comment = null, ...rest } = params
      return replacePermission(session, document.id, { ...rest, begin, end, comment })
    }),
  ],
})

export const removePermissionOperation = defineOperation({
  id: 'Document.RemovePermission',
  category: 'Document',
  description: 'Takes an entry from the document, or all entries of a user or group.',
  effect: 'writes',
  params: {
    id: optional('string', { description: 'Of the entry; counts only without a user' }),
    user: optional('string', { description: 'The user or group whose entries go' }),
    acl,
  },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params: { id, user, acl } }) =>
      removePermission(session, document.id, { acl, ...(id !== undefined && { id }), ...(user !== undefined && { user }) }),
    ),
  ],
})
