import { defaulted, optional } from '../../../automation/parameter.ts'
import { localAclName } from '../../../model/rights/acl.ts'

// Parameters that several operations on rights share.

export const acl = defaulted('string', localAclName, { description: 'The list of entries that is meant' })

export const period = {
  begin: optional('date', { description: 'From when on it counts; at once when absent' }),
  end: optional('date', { description: 'Until when it counts; for good when absent' }),
}

export const telling = {
  notify: defaulted('boolean', false, { description: 'Tell those who are given the permission' }),
  comment: optional('string', { widget: 'TextArea', description: 'Kept beside the entry and told with it' }),
}
