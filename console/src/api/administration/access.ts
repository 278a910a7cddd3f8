import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { type EntityPage, type EntityPages, rowsAtOnce } from './entity-pages.ts'

type Schemas = components['schemas']
export type SessionOfSomebody = Schemas['SessionPage']['entries'][number]
export type AuthenticationToken = Schemas['AuthenticationToken']
export type OAuth2Grant = Schemas['OAuth2Grant']

/** The lists of what people sign in with; what is revoked is refused from the next request on. */
const paths = { sessions: 'management/sessions', tokens: 'management/tokens', grants: 'management/oauth2/grants' } as const
export type AccessKind = keyof typeof paths
export const accessKinds = Object.keys(paths) as readonly AccessKind[]

function pages<Row>(kind: AccessKind, user: string | undefined): EntityPages<Row> {
  return {
    key: ['access', kind, user ?? ''],
    fetch: (page, signal) =>
      call<EntityPage<Row>>(paths[kind], { signal, query: { user, pageSize: rowsAtOnce, currentPageIndex: page } }),
  }
}

/** Browsers in which somebody has signed in, of everybody unless somebody is named. */
export const sessionsOf = (user?: string) => pages<SessionOfSomebody>('sessions', user)
/** Programs that sign in with a token, which is known by its digest. */
export const tokensOf = (user?: string) => pages<AuthenticationToken>('tokens', user)
/** What was agreed with programs and services over OAuth2. */
export const grantsOf = (user?: string) => pages<OAuth2Grant>('grants', user)

/** By the id of a session or grant, or the digest of a token. @throws Problem */
export function revokeAccess(kind: AccessKind, id: string): Promise<void> {
  return call<void>(`${paths[kind]}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
