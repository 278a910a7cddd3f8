import { storedBlob } from '../../automation/values/flowing-blob.ts'
import { accessIn } from '../../core/access.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import type { Schedule } from '../../core/jobs/schedule.ts'
import type { RenderedFile, Rendition, RenditionCall } from '../../core/renditions/rendition.ts'
import {
  findStoredRendition,
  isStoredRendition,
  type RenditionIdentity,
  storeRendition,
} from '../../core/renditions/stored-rendition.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue } from '../../model/properties/property.ts'

/** A rendition as it was stored, else made now, and stored where its definition says so and the document is not being changed. */
export async function renderStored(rendition: Rendition, call: RenditionCall): Promise<RenderedFile | undefined> {
  const { session } = call
  const source = rendition.isStored && (await mayHaveFile(call)) ? await findLastingState(session, call.document) : undefined
  if (source === undefined) return rendition.render(call)
  const identity: RenditionIdentity = { rendition, source, principal: session.principal }
  const stored = await findStoredRendition(session, identity)
  const blob = stored?.properties['file:content'] ?? null
  if (isBlobValue(blob)) return { blob }
  const rendered = await rendition.render(call)
  if (rendered === undefined) return undefined
  const kept = await storedBlob(session.repository, rendered)
  await accessIn(session).write((writing) => storeRendition(writing, identity, kept))
  return { ...rendered, blob: kept }
}

/** Who may not have the file gets of its renditions what making them now would give. */
export async function mayHaveFile({ session, document, mayTake }: RenditionCall): Promise<boolean> {
  const main = mainBlob(session, document)
  return main === undefined || mayTake({ ...main, document })
}

/** A version, or what has none and so no other state than this; undefined for what somebody works on. */
async function findLastingState(session: Session, document: Document): Promise<Document | undefined> {
  if (document.isVersion || !session.model.shapeOf(document).hasFacet('Versionable')) return document
  const { baseVersionId, isCheckedIn } = document
  return isCheckedIn && baseVersionId !== null ? session.reader.documents.find(baseVersionId) : undefined
}

const removedAtOnce = 200

/** Removes what was stored of documents that are gone, once no proxy shows it. */
export const removeOrphanedRenditions: Schedule = {
  name: 'removeOrphanedRenditions',
  everySeconds: 86_400,
  run: (session) => removeOrphans(session),
}

async function removeOrphans(session: WriteSession): Promise<void> {
  const query = `SELECT * FROM Document WHERE ecm:mixinType = 'Rendition' AND ecm:parentId IS NULL AND ecm:isProxy = 0 ORDER BY dc:modified`
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0, limit: removedAtOnce })
  for (const document of documents) {
    if (isStoredRendition(document) && (await isOrphan(session, document))) await removeDocument(session, document.id)
  }
}

async function isOrphan({ tx }: WriteSession, { id, properties }: Document): Promise<boolean> {
  const source = properties['rend:sourceVersionableId']
  const isThere = typeof source === 'string' && (await tx.documents.find(source)) !== undefined
  return !isThere && (await tx.documents.listProxyIds(id)).length === 0
}
