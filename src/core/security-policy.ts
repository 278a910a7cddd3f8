import { isOwn } from '../model/rights/principal.ts'
import { isRetained } from './record-cleaning.ts'
import type { SecurityPolicy } from './session.ts'

/** Nothing that contains removal is allowed on a document under retention or hold. */
export const retentionPolicy: SecurityPolicy = {
  name: 'retentionAndHold',
  order: 1,
  leavesReading: true,
  decide: (session, document, _permission, granting) =>
    granting.has('Remove') && isRetained(session, document) ? 'deny' : undefined,
}

/** While a document is locked, all users but the owner of the lock are refused whatever `Write` contains. */
export const lockPolicy: SecurityPolicy = {
  name: 'lock',
  order: 10,
  leavesReading: true,
  decide: ({ principal }, { lock }, _permission, granting) =>
    lock !== null && !isOwn(principal, lock.owner, lock.created) && granting.has('Write') ? 'deny' : undefined,
}
