import { openSession, systemAccess } from '../../core/access.ts'
import { decideByPolicies } from '../../core/permissions.ts'
import type { Repository, Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Ace, isGrantedBy } from '../../model/rights/acl.ts'
import type { Principal } from '../../model/rights/principal.ts'
import { type OutboxEvent, removalEvents } from '../outbox/index.ts'
import { previousParentOf } from './live-event.ts'
import { judgeRemoval, type ListeningPrincipal, type RemovalVerdict } from './removals.ts'

/** Who may know of some events, found out for all who listen at once. */
export interface Audience {
  /** Whether somebody may know of this one of the events. */
  judge(listener: ListeningPrincipal, event: OutboxEvent): RemovalVerdict
  /** The event as somebody may know it: where a document came from is for those alone who may read that folder. */
  shownTo(listener: ListeningPrincipal, event: OutboxEvent): OutboxEvent
}

/**
 * Somebody is told of what happened to a document who could read it then, by the entries that decided at that moment, and can read it
 * now, as of this call: neither does a right that was given later open what was before, nor does one last that was taken away. Groups are
 * those of now in both cases: who can read a document by a group may know its history. Of a document that is gone only the removal is told,
 * and for that the groups of then count, too (`judgeRemoval`). What happened to no document, but to users and groups, is for administrators.
 *
 * One statement finds what decides about all documents now, and lists of entries never change, so nothing is asked of the database for
 * those who listen.
 */
export async function findAudience(repository: Repository, events: readonly OutboxEvent[]): Promise<Audience> {
  const { reader } = repository.store
  const documents = events.flatMap(({ document }) => document ?? [])
  const previousParents = events.flatMap((event) => previousParentOf(event) ?? [])
  const acpIds = await reader.acps.listDeciding([...new Set([...documents.map(({ id }) => id), ...previousParents])])
  const lists = await readLists(repository, new Set([...acpIds.values(), ...documents.map(({ acpId }) => acpId)]))
  const asksPolicies = repository.securityPolicies.some(({ leavesReading = false }) => !leavesReading)
  const shown = asksPolicies ? await readDocuments(repository, acpIds.keys()) : undefined
  const now = repository.now()
  const isGranted = (acpId: number, principal: Principal, permission: string, at: string) =>
    isGrantedBy(lists.get(acpId) ?? [], principal, permission, repository.model.permissions, at)

  function canReadNow(principal: Principal, id: string, acpId: number): boolean {
    if (shown === undefined) return isGranted(acpId, principal, 'Read', now)
    const document = shown.get(id)
    return document !== undefined && isPermitted(principal, { ...document, acpId }, 'Read')
  }

  function isPermitted(principal: Principal, document: Document, permission: string): boolean {
    const decision = decideByPolicies(openSession(repository, principal), document, permission)
    if (typeof decision === 'object') return isPermitted(principal, document, decision.instead)
    return decision === undefined ? isGranted(document.acpId, principal, permission, now) : decision === 'grant'
  }

  const couldRead = rememberingVerdicts(
    (principal, { date, document }) => document !== undefined && isGranted(document.acpId, principal, 'Read', date),
  )
  const mayKnow = rememberingVerdicts((principal, event) => {
    const id = event.document?.id ?? ''
    const acpId = acpIds.get(id)
    return acpId !== undefined && couldRead(principal, event) && canReadNow(principal, id, acpId)
  })

  function judge(listener: ListeningPrincipal, event: OutboxEvent): RemovalVerdict {
    const { principal } = listener
    const { document } = event
    if (principal.isAdministrator) return 'tell'
    if (document === undefined) return 'hide'
    const isThere = acpIds.has(document.id)
    if (isThere && !mayKnow(principal, event)) return 'hide'
    if (!removalEvents.has(event.event)) return isThere ? 'tell' : 'hide'
    // What a policy would say of a document can only be asked while there is one.
    if (!isThere && shown !== undefined) return 'hide'
    return judgeRemoval(listener, event.membershipGeneration, (one) => couldRead(one, event))
  }

  const withoutOrigin = new Map<OutboxEvent, OutboxEvent>()
  function shownTo({ principal }: ListeningPrincipal, event: OutboxEvent): OutboxEvent {
    const from = previousParentOf(event)
    if (from === undefined || principal.isAdministrator) return event
    const acpId = acpIds.get(from)
    if (acpId !== undefined && canReadNow(principal, from, acpId)) return event
    const shown = withoutOrigin.get(event) ?? { ...event, comment: null }
    withoutOrigin.set(event, shown)
    return shown
  }

  return { judge, shownTo }
}

type Verdict = (principal: Principal, event: OutboxEvent) => boolean

/** Many who listen are one and the same user. */
function rememberingVerdicts(find: Verdict): Verdict {
  const verdicts = new Map<Principal, Map<OutboxEvent, boolean>>()
  return (principal, event) => {
    const known = verdicts.get(principal) ?? new Map<OutboxEvent, boolean>()
    verdicts.set(principal, known)
    const verdict = known.get(event) ?? find(principal, event)
    known.set(event, verdict)
    return verdict
  }
}

async function readLists(repository: Repository, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, readonly Ace[]>> {
  return systemAccess(repository).read(async (session: Session) => {
    const lists = new Map<number, readonly Ace[]>()
    for (const id of ids) lists.set(id, await repository.acps.entriesOf(session, id))
    return lists
  })
}

/** One after another: what one of them holds may be large, and most are at hand. */
async function readDocuments({ store }: Repository, ids: Iterable<string>): Promise<ReadonlyMap<string, Document>> {
  const found = new Map<string, Document>()
  for (const id of ids) {
    const document = await store.reader.documents.find(id)
    if (document !== undefined) found.set(id, document)
  }
  return found
}
