import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { blockInheritance, unblockInheritance } from '../../../core/documents/rights/block-inheritance.ts'
import { removeAcl } from '../../../core/documents/rights/remove-permission.ts'
import { setAce } from '../../../core/documents/rights/set-ace.ts'
import { acl } from './permission-parameters.ts'

export const blockInheritanceOperation = defineOperation({
  id: 'Document.BlockPermissionInheritance',
  category: 'Document',
  description: 'Shuts out what the document would inherit; whoever calls and the administrators stay in.',
  effect: 'writes',
  params: { acl },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params }) => blockInheritance(session, document.id, params.acl)),
  ],
})

export const unblockInheritanceOperation = defineOperation({
  id: 'Document.UnblockPermissionInheritance',
  category: 'Document',
  description: 'Lets the document inherit rights again.',
  effect: 'writes',
  params: { acl },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params }) => unblockInheritance(session, document.id, params.acl)),
  ],
})

export const addAceOperation = defineOperation({
  id: 'Document.AddACE',
  aliases: ['Document.SetACE'],
  category: 'Document',
  description: 'Sets one entry, a grant or a denial. Older than Document.AddPermission, which adds.',
  effect: 'writes',
  params: {
    user: required('string', { description: 'A user or a group' }),
    permission: required('string'),
    acl,
    grant: defaulted('boolean', true, { description: 'False denies' }),
    overwrite: defaulted('boolean', true, { description: 'The entry becomes all of its list' }),
  },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params: { grant: granted, ...only } }) =>
      setAce(session, document.id, { ...only, granted }),
    ),
  ],
})

export const removeAclOperation = defineOperation({
  id: 'Document.RemoveACL',
  category: 'Document',
  description: 'Takes a whole list of entries from the document.',
  effect: 'writes',
  params: { acl: required('string', { description: 'The name of the list' }) },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params }) => removeAcl(session, document.id, params.acl)),
  ],
})
