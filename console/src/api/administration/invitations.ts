import { call } from '../client.ts'
import { quote } from '../documents.ts'
import type { Document } from '../types.ts'
import type { EntityPage, EntityPages } from './entity-pages.ts'
import { rowsAtOnce } from './entity-pages.ts'

const encoded = encodeURIComponent
export const invitationStates = ['created', 'accepted', 'processed', 'rejected'] as const

/** Everybody who was invited, the latest first. */
export function invitationsIn(state: string | undefined): EntityPages<Document> {
  const condition = state === undefined ? '' : ` AND ecm:currentLifeCycleState = ${quote(state)}`
  const query = `SELECT * FROM UserInvitation WHERE ecm:isTrashed = 0 AND ecm:isVersion = 0${condition} ORDER BY dc:created DESC`
  return {
    key: ['invitations', state ?? ''],
    fetch: (page, signal) =>
      call<EntityPage<Document>>('search/lang/NXQL/execute', {
        signal,
        query: { query, pageSize: rowsAtOnce, currentPageIndex: page },
        headers: { properties: 'dublincore,userinfo,registration,invitation' },
      }),
  }
}

export interface Invited {
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly groups: readonly string[]
  readonly comment: string
}

/** @throws Problem */
export function invite({ comment, ...properties }: Invited): Promise<string> {
  const input = { 'entity-type': 'user', properties }
  const params = comment === '' ? {} : { comment }
  return call<string>('automation/User.Invite', { method: 'POST', json: { input, params, context: {} } })
}

/** @throws Problem */
export function decideInvitation(id: string, decision: 'accept' | 'reject' | 'resend'): Promise<void> {
  return call<void>(`management/invitations/${encoded(id)}/${decision}`, { method: 'POST' })
}
