import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import type { Preparation } from '../../core/initial-content.ts'
import { grant, localAclName } from '../../model/rights/acl.ts'
import { recordManagersGroup, rulesType } from './rule-model.ts'

/** Where user interfaces expect the rules of a repository. Who may read the root reads them; record managers write them. */
export const rulesFolder: Preparation = {
  name: 'retention rules',
  async prepare(session) {
    const root = await session.tx.documents.findByPath('/')
    if (root === undefined) return
    await getOrCreateChild(session, root, rulesType, () => ({
      type: rulesType,
      acls: [{ name: localAclName, aces: [grant(recordManagersGroup, 'ReadWrite')] }],
      properties: { 'dc:title': 'Retention Rules' },
    }))
  },
}
