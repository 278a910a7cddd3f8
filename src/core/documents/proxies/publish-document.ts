import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { plainNameOf } from '../../../model/trashed-name.ts'
import { announce } from '../../event.ts'
import { requirePermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { hasNoChildren } from '../children.ts'
import { readFolderForInsertById } from '../folder-for-insert.ts'
import { readDocument } from '../read-document.ts'
import { readStoredForUpdate, store } from '../read-for-update.ts'
import { removeDocument } from '../remove-document.ts'
import { checkIn } from '../versions/check-in.ts'
import { checkOut } from '../versions/check-out.ts'
import { insertProxy, requireProxyAllowed } from './create-proxy.ts'
import { seenThrough, throughProxy } from './proxy.ts'

export interface PublishOptions {
  /** False: what is published in the section already stays beside the new publication. */
  readonly override?: boolean
  /** Goes with the version that is made of a document that has none of its present state. */
  readonly comment?: string
  /** What is shown instead of the version, such as a rendition of it: makes it, or finds it. */
  show?(version: Document): Promise<Document>
}

export const recordNotPublishable = defineProblem(
  'recordNotPublishable',
  'conflict',
  (of: { id: string }) => `${of.id} is a record and cannot be published`,
)

/** A publication, and the ids of those that made way for it. */
interface Publication {
  readonly proxy: Document
  readonly replaced: readonly DocumentId[]
}

/**
 * Shows the document in a section as it is now: a proxy to its version, which is made if need be. Reading the document is enough
 * for that. A version or proxy is published as the very version or document that it is. Gives the proxy as it is seen.
 */
export async function publishDocument(
  session: WriteSession,
  id: DocumentId,
  sectionId: DocumentId,
  options: PublishOptions = {},
): Promise<Document> {
  const source = await readStoredForUpdate(session, id)
  await requirePermission(session, source, 'Read')
  if (source.isProxy) await requireProxyAllowed(session, source)
  const section = await readFolderForInsertById(session, sectionId)
  await requirePermission(session, section, 'AddChildren')
  if ((await throughProxy(session, source)).isRecord) throw recordNotPublishable({ id })
  const publication = await publish(session, source, section, options)
  await announcePublication(session, source, section, publication)
  // Listeners write to what was published: when that was, for one.
  return readDocument(session.asSystem(), publication.proxy.id)
}

async function publish(
  session: WriteSession,
  source: Document,
  section: Document,
  { override = true, comment, show = async (version) => version }: PublishOptions,
): Promise<Publication> {
  const add = (target: Document) => addPublication(session, target, section, plainNameOf(source))
  if (source.isVersion || source.isProxy) return add(await show(source))
  const shown = await show(await readVersionToPublish(session, source, comment))
  if (!override) return add(shown)
  const published = await session.tx.documents.listProxies(source.id, section.id)
  const [only, ...others] = published
  if (only !== undefined && others.length === 0 && only.type === shown.type) return pointAnew(session, only, shown)
  for (const { id } of published) await makeWay(session, id)
  return { ...(await add(shown)), replaced: published.map(({ id }) => id) }
}

/** A user who may publish here may replace what is published here, but not remove what was put below it. */
async function makeWay(session: WriteSession, id: DocumentId): Promise<void> {
  const isBare = await hasNoChildren(session, id)
  await removeDocument(isBare ? session.asSystem() : session, id)
}

async function addPublication(session: WriteSession, target: Document, section: Document, name: string): Promise<Publication> {
  return { proxy: await insertProxy(session, target, section, name), replaced: [] }
}

/** The version that the document is checked in on. A document whose version was removed meanwhile gets a new one. */
async function readVersionToPublish(session: WriteSession, live: Document, comment: string | undefined): Promise<Document> {
  const base = live.baseVersionId === null ? undefined : await session.tx.documents.find(live.baseVersionId)
  if (live.isCheckedIn && base !== undefined) return base
  const open = live.isCheckedIn ? await checkOut(session, live) : live
  return (await checkIn(session, open, 'minor', comment === undefined ? {} : { comment })).version
}

async function pointAnew(session: WriteSession, proxy: Document, version: Document): Promise<Publication> {
  const locked = await readStoredForUpdate(session, proxy.id)
  const pointing = await store(session, locked, { ...locked, targetId: version.id, seriesId: version.seriesId })
  const pointed = seenThrough(session.model, pointing, version)
  await announce(session, 'documentProxyUpdated', pointed)
  return { proxy: pointed, replaced: [] }
}

async function announcePublication(
  session: WriteSession,
  source: Document,
  section: Document,
  { proxy, replaced }: Publication,
): Promise<void> {
  const about = { properties: { replacedProxyRefs: replaced } }
  await announce(session, 'documentProxyPublished', proxy, about)
  await announce(session, 'sectionContentPublished', section, about)
  await announce(session, 'documentPublished', (await session.tx.documents.find(source.id)) ?? source)
  await announce(session, 'documentPublished', proxy)
}
