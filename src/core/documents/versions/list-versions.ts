import type { Document, DocumentId } from '../../../model/document.ts'
import { requirePermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { documentNotFound, findStored } from '../read-document.ts'

/** All versions of the document, oldest first. A version or proxy is asked for those of its series. */
export async function listVersions(session: Session, id: DocumentId): Promise<readonly Document[]> {
  return (await Array.fromAsync(everyVersion(session, id))).flat()
}

const versionsAtOnce = 50

/** The same, page by page. @throws documentsTooLarge */
export async function* everyVersion(session: Session, id: DocumentId): AsyncGenerator<readonly Document[]> {
  const seriesId = seriesOf(await readForVersions(session, id))
  const { maxListedBytes: maxBytes } = session.repository.rules
  for (let offset = 0; ; offset += versionsAtOnce) {
    const versions = await session.reader.documents.listVersions(seriesId, { offset, limit: versionsAtOnce, maxBytes })
    yield versions
    if (versions.length < versionsAtOnce) return
  }
}

/** The newest version; undefined when there is none. */
export async function findLastVersion(session: Session, id: DocumentId): Promise<Document | undefined> {
  return session.reader.documents.findLatestVersion(seriesOf(await readForVersions(session, id)))
}

/**
 * The document, or what the proxy of that id points to, provided that the caller may see its versions. Of a proxy both are asked:
 * a reader of what is published does not see the drafts behind it.
 */
export async function readForVersions(session: Session, id: DocumentId): Promise<Document> {
  const found = await readStored(session, id)
  await requirePermission(session, found, 'ReadVersion')
  if (!found.isProxy || found.targetId === null) return found
  const target = await readStored(session, found.targetId)
  await requirePermission(session, target, 'ReadVersion')
  return target
}

async function readStored(session: Session, id: DocumentId): Promise<Document> {
  const found = await findStored(session, id)
  if (found === undefined) throw documentNotFound({ reference: id })
  return found
}

function seriesOf({ id, seriesId }: Document): DocumentId {
  return seriesId ?? id
}
