import { defineOperation } from '../../../automation/operation.ts'
import { required } from '../../../automation/parameter.ts'
import { announcePermission } from '../announce-permission.ts'

export const sendNotificationOperation = defineOperation({
  id: 'Document.SendNotificationEmailForPermission',
  category: 'Document',
  description: 'Tells a user once more of a permission that an entry of the document gives.',
  effect: 'writes',
  params: { id: required('string', { description: 'Of the entry; one that is not there is nobody to tell' }) },
  run: ({ each }) => [
    each('document', 'document', (document, { session, params }) => announcePermission(session, document, params.id)),
  ],
})
