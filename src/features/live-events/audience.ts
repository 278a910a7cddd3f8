import { openSession, systemAccess } from '../../core/access.ts'
import { decideByPolicies } from '../../core/permissions.ts'
import type { Repository, Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type Ace, isGrantedBy } from '../../model/rights/acl.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { OutboxEvent } from '../outbox/index.ts'

/** Who may know of some events, found out for all who listen at once. */
export interface Audience {
  /** Whether the principal may know of this one of the events. */
  mayKnow(principal: Principal, event: OutboxEvent): boolean
}

/** Of a document that is gone only this is told: by the rights that it had then. What else happened to it concerns nobody any more. */
const removals: ReadonlySet<string> = new Set(['documentRemoved', 'versionRemoved'])

/**
 * Somebody is told of what happened to a document who could read it then, by the entries that decided at that moment, and can read it
 * now, as of this call: neither does a right that was given later open what was before, nor does one last that was taken away. Groups are
 * those of now in both cases, as nobody stores those of then: who joins one may hear of the removal of what it could read. What happened to
 * no document, but to users and groups, is for administrators.
 *
 * One statement finds what decides about all documents now, and lists of entries never change, so nothing is asked of the database for
 * those who listen.
 */
export async function findAudience(repository: Repository, events: readonly OutboxEvent[]): Promise<Audience> {
  const { reader } = repository.store
  const documents = events.flatMap(({ document }) => document ?? [])
  const acpIds = await reader.acps.listDeciding([...new Set(documents.map(({ id }) => id))])
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

  function mayKnow(principal: Principal, { event, date, document }: OutboxEvent): boolean {
    if (principal.isAdministrator) return true
    if (document === undefined || !isGranted(document.acpId, principal, 'Read', date)) return false
    const acpId = acpIds.get(document.id)
    if (acpId !== undefined) return canReadNow(principal, document.id, acpId)
    // What a policy would say of a document can only be asked while there is one.
    return removals.has(event) && shown === undefined
  }

  return { mayKnow: rememberingVerdicts(mayKnow) }
}

/** Many who listen are one and the same user. */
function rememberingVerdicts(mayKnow: Audience['mayKnow']): Audience['mayKnow'] {
  const verdicts = new Map<Principal, Map<OutboxEvent, boolean>>()
  return (principal, event) => {
    const known = verdicts.get(principal) ?? new Map<OutboxEvent, boolean>()
    verdicts.set(principal, known)
    const verdict = known.get(event) ?? mayKnow(principal, event)
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
