import { hash } from 'node:crypto'
import { setImmediate as nextRound } from 'node:timers/promises'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { openSession } from '../../core/access.ts'
import { findReadable, findStored } from '../../core/documents/read-document.ts'
import { decideByPolicies } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import { isGrantedBy } from '../../model/rights/acl.ts'
import type { Principal } from '../../model/rights/principal.ts'
import {
  type ChangeBounds,
  type ChangeRow,
  listChanges,
  registered,
  rootGone,
  securityUpdated,
  settledBounds,
  unregistered,
} from './change-rows.ts'
import { type ItemKind, isDocumentId, itemId } from './item-ids.ts'
import { type Item, type ItemTree, openItemTree } from './item-tree.ts'
import { leadingEvent } from './leading-event.ts'
import { listOwnRoots } from './root-rows.ts'
import { createSealedBounds } from './sealed-bounds.ts'
import { readSyncSecret } from './sync-secret.ts'

/** One of the changes that a client is told: what the item is now, or that it is gone. */
export interface FileSystemChange {
  readonly repositoryId: string
  readonly eventId: string
  readonly eventDate: number
  readonly docUuid: string
  readonly fileSystemItem: Item | null
  readonly fileSystemItemId: string
  readonly fileSystemItemName: string | null
}

export interface ChangeSummary {
  readonly fileSystemChanges: readonly FileSystemChange[]
  readonly syncDate: number
  readonly upperBound: number
  readonly activeSynchronizationRootDefinitions: string
  readonly hasTooManyChanges: boolean
}

export interface ChangeQuestion {
  /** What the client was told as the upper bound last. */
  readonly lowerBound: number
  /** What it was told of its roots with that. */
  readonly lastDefinitions: string
  readonly limit: number
}

const deleted = 'deleted'

/** All that is known of what happened to a document since the client asked last. */
interface Happened {
  readonly documentId: DocumentId
  readonly event: string
  readonly date: number
  readonly wasAcpIds: readonly number[]
  /** It may have become a root, or be one no more. */
  readonly isPersonal: boolean
}

/**
 * What has changed in the roots of the session's principal since a client asked last. Rows only say which documents to look at: what a
 * client is told is what these are now, so that it ends up with what is there however many changes lie between.
 */
export async function summariseChanges(
  asked: Session,
  vendored: VendorIdentifiers,
  { lowerBound, lastDefinitions, limit }: ChangeQuestion,
): Promise<ChangeSummary> {
  const { repository, principal } = asked
  const before = parseDefinitions(repository.name, lastDefinitions)
  const sealed = createSealedBounds(await readSyncSecret(asked))
  const begins = lowerBound < 0
  const after = begins ? undefined : sealed.open(lowerBound)
  const bounds = await settledBounds(repository, after)
  const range = after !== undefined && isKept(after, bounds) ? { after, upTo: bounds.newest, limit: limit + 1 } : undefined
  const rows = range === undefined || range.after === range.upTo ? [] : await listRows(asked, range)
  // Documents are looked at behind the rows, as they are by now, also where another process has changed them.
  await nextRound()
  repository.store.meetRequest()
  const session = openSession(repository, principal)
  const tree = await openItemTree(session, vendored)
  const hasTooManyChanges = !begins && (range === undefined || rows.length > limit)
  const happened = begins || hasTooManyChanges ? [] : [...gather(rows), ...changedRoots(session, tree, before)]
  const fileSystemChanges = await changesOf(session, tree, merged(happened))
  const isQuiet = fileSystemChanges.length === 0 && rows.length <= limit * mostQuiet
  const stays = range !== undefined && isQuiet && !isFarBehind(range.after, bounds)
  return {
    fileSystemChanges,
    // Whole seconds, as clients know it.
    syncDate: Math.floor(Date.parse(session.now) / 1_000) * 1_000,
    upperBound: sealed.seal(stays ? range.after : bounds.newest),
    activeSynchronizationRootDefinitions: definitionsOf(session, tree),
    hasTooManyChanges,
  }
}

/** Whether all is known that came after. A bound lies ahead where the database was put back to what it was before. */
function isKept(after: number, { newest, removedUpTo }: ChangeBounds): boolean {
  return after >= removedUpTo && after <= newest
}

/** Of the limit: changes that somebody may not know of are looked at with each question for as long as the bound stays. */
const mostQuiet = 0.1

/**
 * Whoever is told of nothing is not told either that something happened elsewhere, or to what they may not read, unless they would be too
 * late one day.
 */
function isFarBehind(after: number, { newest, removedUpTo }: ChangeBounds): boolean {
  return after - removedUpTo < (newest - removedUpTo) / 2
}

async function listRows(session: Session, range: Parameters<typeof listChanges>[3]): Promise<readonly ChangeRow[]> {
  const { repository, principal } = session
  const roots = await listOwnRoots(openSession(repository, principal))
  return listChanges(
    repository,
    principal,
    roots.map(({ id }) => id),
    range,
  )
}

function gather(rows: readonly ChangeRow[]): readonly Happened[] {
  return rows.map(({ documentId, event, date, wasAcpId, isPersonal }) => ({
    documentId,
    event,
    date,
    isPersonal,
    wasAcpIds: wasAcpId === undefined ? [] : [wasAcpId],
  }))
}

/** Each document once, with what is to be told of it. */
function merged(happened: readonly Happened[]): readonly Happened[] {
  const byDocument = new Map<DocumentId, Happened>()
  for (const one of happened) {
    const before = byDocument.get(one.documentId)
    byDocument.set(one.documentId, {
      documentId: one.documentId,
      event: leadingEvent(before?.event, one.event),
      date: Math.max(before?.date ?? 0, one.date),
      wasAcpIds: [...(before?.wasAcpIds ?? []), ...one.wasAcpIds],
      isPersonal: one.isPersonal || before?.isPersonal === true,
    })
  }
  return [...byDocument.values()]
}

/**
 * What no event tells of: somebody joined a group or left it, or an entry on a root began or ended. A client that has other roots than it was
 * told last hears of the difference; one that is somebody with other groups looks through all of them.
 */
function changedRoots(session: Session, tree: ItemTree, before: Definitions | undefined): readonly Happened[] {
  if (before === undefined) return []
  const active = new Set(tree.roots.map(({ id }) => id))
  const at = { date: Date.parse(session.now), wasAcpIds: [] }
  const gone = [...before.roots.difference(active)].map((documentId) => ({
    ...at,
    documentId,
    event: rootGone,
    isPersonal: true,
  }))
  const come = [...active.difference(before.roots)].map((documentId) => ({
    ...at,
    documentId,
    event: registered,
    isPersonal: true,
  }))
  if (before.names === undefined || before.names === namesOf(session.principal)) return [...gone, ...come]
  const others = [...active].map((documentId) => ({ ...at, documentId, event: securityUpdated, isPersonal: false }))
  return [...gone, ...come, ...others]
}

async function changesOf(session: Session, tree: ItemTree, happened: readonly Happened[]): Promise<readonly FileSystemChange[]> {
  const changes: FileSystemChange[] = []
  for (const one of happened) changes.push(...(await changesTo(session, tree, one)))
  return changes
}

const kinds: readonly ItemKind[] = ['item', 'root', 'collection']

async function changesTo(session: Session, tree: ItemTree, happened: Happened): Promise<readonly FileSystemChange[]> {
  const { documentId, date, isPersonal } = happened
  const { name: repositoryId } = session.repository
  const told = { repositoryId, eventDate: date, docUuid: documentId }
  const found = await tree.find(documentId)
  const item = found?.item
  const gone = (kind: ItemKind): FileSystemChange => ({
    ...told,
    eventId: deleted,
    fileSystemItem: null,
    fileSystemItemId: itemId(kind, repositoryId, documentId),
    fileSystemItemName: null,
  })
  if (item === undefined) {
    if (isPersonal || tree.chosenIds.has(documentId)) return kinds.map(gone)
    return (await couldBeSeen(session, happened)) ? [gone('item')] : []
  }
  const change = {
    ...told,
    eventId: shownEvent(happened.event),
    fileSystemItem: item,
    fileSystemItemId: item.id,
    fileSystemItemName: item.name,
  }
  const others = isPersonal ? kinds.map(gone).filter(({ fileSystemItemId }) => fileSystemItemId !== item.id) : []
  return [...others, change]
}

const ofGone = new Set(['documentTrashed', 'documentRemoved', unregistered, rootGone])

/** Of what is there after all no client is told that it has gone. */
function shownEvent(event: string): string {
  return ofGone.has(event) ? 'documentModified' : event
}

/**
 * Whether the principal may know that it is gone: who could never see a document is not told of it. Groups are those of now, and entries
 * that have ended count: who could read the document while they lasted knows it.
 */
async function couldBeSeen(session: Session, { documentId, wasAcpIds }: Happened): Promise<boolean> {
  const { repository, principal, model } = session
  if (principal.isAdministrator || (await findReadable(session, documentId)) !== undefined) return true
  const stored = await findStored(session, documentId)
  if (stored !== undefined && decideByPolicies(session, stored, 'Read') === 'deny') return false
  for (const acpId of wasAcpIds) {
    const aces = (await repository.acps.entriesOf(session, acpId)).map((ace) => ({ ...ace, end: null }))
    if (isGrantedBy(aces, principal, 'Read', model.permissions, session.now)) return true
  }
  return false
}

/** The roots of a client, and who it is by its groups, at one moment. */
interface Definitions {
  readonly roots: ReadonlySet<DocumentId>
  readonly names: string | undefined
}

/** As clients have always been told it, and behind that what only this server reads: they hand it back as it is. */
function definitionsOf({ principal, repository }: Session, { roots }: ItemTree): string {
  const definitions = roots.map(({ id }) => `${repository.name}:${id}`)
  return `${definitions.join(',')};${namesOf(principal)}`
}

function namesOf({ names, isAdministrator }: Principal): string {
  return hash('sha256', JSON.stringify([isAdministrator, ...[...names].toSorted()])).slice(0, 16)
}

/** More than anybody has roots. */
const maxDefinitions = 2_000
const maxDefinitionsLength = 200_000

const wrongDefinitions = defineProblem(
  'wrongDefinitions',
  'invalid',
  (_: object) =>
    `lastSyncActiveRootDefinitions is too long: send what the last summary gave as activeSynchronizationRootDefinitions, or nothing.`,
)

/** Undefined where the client has nothing to hand back. @throws wrongDefinitions */
function parseDefinitions(repository: string, text: string): Definitions | undefined {
  if (text.trim() === '') return undefined
  const [definitions = '', names] = text.slice(0, maxDefinitionsLength + 1).split(';')
  const entries = definitions.split(',').filter((entry) => entry !== '')
  if (text.length > maxDefinitionsLength || entries.length > maxDefinitions) throw wrongDefinitions({})
  const prefix = `${repository}:`
  const own = entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length))
  return { roots: new Set(own.filter(isDocumentId)), names }
}
