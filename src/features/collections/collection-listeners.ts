import { everyPageBelow } from '../../core/documents/every-below.ts'
import { compile, scopeOf, searchDocuments } from '../../core/search/page/run-query.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, ServerListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { listName } from '../../nxql/document-indexing.ts'
import { collectionFacet, memberFacet, membershipsProperty } from './collection-model.ts'
import { follow } from './follow-collections.ts'
import { collectionIds } from './membership.ts'

/** What is removed is in no collection, and no collection any more; also what is below it. */
const leaveWhenRemoved: InlineListener = {
  name: 'collectionsOfRemoved',
  when: 'inline',
  events: ['aboutToRemove', 'aboutToRemoveVersion'],
  async handle({ document }, session) {
    const members = new Map<DocumentId, DocumentId[]>()
    for await (const page of everyPageAt(session, document)) {
      for (const removed of page) {
        for (const id of collectionIds(removed)) members.set(id, [...(members.get(id) ?? []), removed.id])
        if (isCollection(session, removed)) await leaveMembers(session, removed)
      }
    }
    await forgetMembers(session, members)
  },
}

/** The same of versions, which go a while after their document, unless a proxy or a hold keeps them. */
export const leaveWithVersions: ServerListener = {
  name: 'collectionsOfRemovedVersions',
  events: ['aboutToRemoveOrphanVersions'],
  async handle({ properties: { ids } }, session) {
    const versions = Array.isArray(ids) ? ids.map(String) : []
    for (let start = 0; start < versions.length; start += versionsAtOnce)
      await leaveAll(session, versions.slice(start, start + versionsAtOnce))
  },
}

const versionsAtOnce = 200

async function leaveAll(session: WriteSession, versions: readonly DocumentId[]): Promise<void> {
  const concerned = `ecm:mixinType IN ${listed([collectionFacet, memberFacet].map(quoted))}`
  const query = compile(session, `SELECT * FROM Document WHERE ecm:uuid IN ${listed(versions.map(quoted))} AND ${concerned}`)
  const members = new Map<DocumentId, DocumentId[]>()
  for (const removed of (await searchDocuments(session, query, { offset: 0 })).documents) {
    for (const id of collectionIds(removed)) members.set(id, [...(members.get(id) ?? []), removed.id])
    if (isCollection(session, removed)) await leaveMembers(session, removed)
  }
  await forgetMembers(session, members)
}

function leaveMembers(session: WriteSession, { id }: Document): Promise<void> {
  return follow(session, { kind: 'leaves', collection: id, isRemoved: true })
}

const goneAtOnce = 1_000

async function forgetMembers(session: WriteSession, members: ReadonlyMap<DocumentId, readonly DocumentId[]>): Promise<void> {
  for (const [collection, gone] of members) {
    for (let start = 0; start < gone.length; start += goneAtOnce) {
      await follow(session, { kind: 'forgets', collection, members: gone.slice(start, start + goneAtOnce) })
    }
  }
}

/** A copy of a collection, or of one below a folder, has the same members. */
const joinCopies: InlineListener = {
  name: 'membersOfCopiedCollections',
  when: 'inline',
  events: ['documentCreatedByCopy'],
  async handle({ document, properties }, session) {
    const source = await session.tx.documents.find(String(properties['sourceRef']))
    if (source === undefined) return
    for await (const page of everyPageAt(session, document)) {
      for (const copy of page.filter((one) => isCollection(session, one))) {
        const origin = await findOrigin(session, source, document, copy)
        if (origin !== undefined) await follow(session, { kind: 'joins', collection: copy.id, origin })
      }
    }
  },
}

/** At the same place below the source as the copy is below the copied document. */
async function findOrigin(
  session: WriteSession,
  source: Document,
  copied: Document,
  copy: Document,
): Promise<DocumentId | undefined> {
  if (copy.id === copied.id) return source.id
  const below = (copy.path ?? '').slice((copied.path ?? '').length)
  return (await session.tx.documents.findByPath(`${source.path}${below}`))?.id
}

const joinVersions: InlineListener = {
  name: 'membersOfVersions',
  when: 'inline',
  events: ['documentCheckedIn'],
  async handle({ document, properties }, session) {
    if (!isCollection(session, document)) return
    await follow(session, { kind: 'joins', collection: String(properties['checkedInVersionRef']), origin: document.id })
  },
}

const followRestored: InlineListener = {
  name: 'membersOfRestored',
  when: 'inline',
  events: ['documentRestored'],
  async handle({ document, properties }, session) {
    if (!isCollection(session, document)) return
    await follow(session, { kind: 'joins', collection: document.id, origin: String(properties['restoredVersionUUID']) })
    await follow(session, { kind: 'leaves', collection: document.id })
  },
}

export const collectionListeners = [leaveWhenRemoved, joinCopies, joinVersions, followRestored]

function isCollection({ model }: WriteSession, document: Document): boolean {
  return !document.isProxy && model.shapeOf(document).hasFacet(collectionFacet)
}

/** The document, and what is below it, unless nothing in the whole repository is in a collection: then there is nothing to follow. */
async function* everyPageAt(session: WriteSession, document: Document): AsyncGenerator<readonly Document[]> {
  yield [document]
  const { path } = document
  // Documents lie below any other, also below one that is no folder.
  if (path !== null && (await hasMembers(session))) yield* everyPageBelow(session, path)
}

async function hasMembers(session: WriteSession): Promise<boolean> {
  const window = { name: listName(membershipsProperty), prefix: '', limit: 1 }
  return (await session.reader.search.listItems(window, await scopeOf(session.asSystem(), { bindings: [] }))).length > 0
}
