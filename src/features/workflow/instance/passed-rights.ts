import { actingAs } from '../../../core/access.ts'
import { findLastingPermission, type LastingPermission } from '../../../core/documents/rights/lasting-permission.ts'
import type { Principals } from '../../../core/principals/principals.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { createPrincipal } from '../../../model/rights/principal.ts'
import { listParents, type OpenRoute } from './open-route.ts'
import { initiatorOf } from './route-documents.ts'
import { type GivenRight, hasInitiator } from './route-rights.ts'

// A workflow acts with all rights, but for people. What it does to a document, and what its tasks let others do, is what somebody behind it
// could do there: who started it, or the workflow that began it, or who lets it go on.

/** Whoever can look up who somebody is. */
export interface KnowingPeople {
  readonly services: { readonly principals: Pick<Principals, 'find'> }
}

/** Sessions of those behind it, in the transaction of the request. */
export async function behindRoute({ services }: KnowingPeople, open: OpenRoute): Promise<readonly Session[]> {
  const { session, route } = open
  const names = new Set<string>()
  for (const started of [route, ...(await listParents(session, route))]) {
    const initiator = initiatorOf(started)
    if (initiator !== undefined && hasInitiator(started.acls, initiator)) names.add(initiator)
  }
  if (session.principal.onBehalfOf !== undefined) names.add(session.principal.onBehalfOf)
  const people: Session[] = []
  for (const name of names) {
    const found = await services.principals.find(name)
    people.push(actingAs<Session>(session, found ?? createPrincipal(name, [], { isAdministrator: false })))
  }
  return people
}

/**
 * What a task can give of what its node says: as much as one of these people has on the document beside all tasks, and no longer than that.
 * Who may only read it lets others read.
 */
export async function passedRight(
  people: readonly Session[],
  document: Document,
  wanted: string,
): Promise<GivenRight | undefined> {
  for (const permission of new Set([wanted, 'Read'])) {
    const found = await Promise.all(people.map((session) => findLastingPermission(session, document, permission)))
    const held = found.filter((one) => one !== undefined)
    if (held.length > 0) return { permission, until: longest(held) }
  }
  return undefined
}

function longest(held: readonly LastingPermission[]): GivenRight['until'] {
  const ends = held.map(({ until }) => until)
  return ends.reduce((one, other) => (one === null || other === null ? null : one > other ? one : other))
}
