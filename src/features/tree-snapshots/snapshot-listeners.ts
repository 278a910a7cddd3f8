import { orderOrphanRemoval } from '../../core/documents/versions/remove-version.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { InlineListener, ServerListener, WriteSession } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { sameValue } from '../../model/properties/property.ts'
import { partOfSnapshot, snapshotNotWritten } from './snapshot-mistakes.ts'
import { childrenProperty, nameProperty, partsOf } from './snapshot-model.ts'

/** A list that anybody could write would keep versions of others, and bring into a folder what was never in it. */
const guardSnapshots: InlineListener = {
  name: 'guardSnapshots',
  when: 'inline',
  events: ['aboutToCreate', 'aboutToImport', 'beforeDocumentModification'],
  order: 100,
  changes: ({ name }) => name === childrenProperty || name === nameProperty,
  handle({ document, properties }, session) {
    if (session.principal.isAdministrator) return
    const before = properties['previousDocumentModel'] as Document | undefined
    for (const property of [childrenProperty, nameProperty])
      if (!sameValue(writtenIn(before, property), writtenIn(document, property))) throw snapshotNotWritten({ property })
  },
}

/** An empty list is nothing, like that of a facet which the document has not. */
function writtenIn(document: Document | undefined, property: string) {
  const value = document?.properties[property] ?? null
  return Array.isArray(value) && value.length === 0 ? null : value
}

/** @throws partOfSnapshot */
const keepParts: InlineListener = {
  name: 'keepPartsOfSnapshots',
  when: 'inline',
  events: ['aboutToRemoveVersion'],
  async handle({ document }, session) {
    const naming = `SELECT * FROM Document WHERE ${childrenProperty}/* = ${quoted(document.id)} AND ecm:isVersion = 1`
    const { documents } = await searchDocuments(session.asSystem(), compile(session, naming), { offset: 0, limit: 1 })
    if (documents.length > 0) throw partOfSnapshot({ id: document.id })
    await letGo(session, document)
  },
}

const letGoOfOrphans: ServerListener = {
  name: 'partsOfRemovedSnapshots',
  events: ['aboutToRemoveOrphanVersions'],
  async handle({ properties: { ids } }, session) {
    const removed = Array.isArray(ids) ? ids.map(String) : []
    for (let start = 0; start < removed.length; start += atOnce)
      for (const version of await session.tx.documents.findAll(removed.slice(start, start + atOnce)))
        await letGo(session, version)
  },
}

const atOnce = 200

/** What the version alone has kept is removed in turn, if nothing else keeps it. */
async function letGo(session: WriteSession, version: Document): Promise<void> {
  const parts = partsOf(version)
  for (let start = 0; start < parts.length; start += atOnce) {
    const series = await seriesOf(session, parts.slice(start, start + atOnce))
    if (series.length > 0) await orderOrphanRemoval(session, series)
  }
}

async function seriesOf({ tx }: WriteSession, ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
  const found = await tx.documents.findAll(ids)
  return [...new Set(found.flatMap(({ isVersion, seriesId }) => (isVersion && seriesId !== null ? [seriesId] : [])))]
}

export const snapshotListeners = [guardSnapshots, keepParts]
export const snapshotServerListeners = [letGoOfOrphans]
