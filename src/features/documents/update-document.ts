import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { documentNotFound, findStored } from '../../core/documents/read-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { ClientSaveOptions } from '../../core/save-options.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type DocumentPayload, isEmptyStringNull } from '../../rest/payload/document-payload.ts'
import { resolveBlobs, type StagedBlobs } from '../../rest/payload/sent-blobs.ts'
import { readProperties } from '../../rest/payload/sent-properties.ts'
import { stageSentBlobs } from '../../rest/payload/stage-sent-blobs.ts'
import { watchUnknownProperties } from '../../rest/payload/unknown-properties.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { saveOptionsOf } from './save-options.ts'

export const otherDocument = defineProblem(
  'otherDocument',
  'invalid',
  (of: { sent: string; addressed: string }) =>
    `The body is about document ${of.sent}, but the address is that of ${of.addressed}.`,
)

/** What a PUT says, read and its blobs stored, before the transaction. */
export interface PreparedUpdate {
  readonly payload: DocumentPayload
  readonly staged: StagedBlobs
  readonly options: ClientSaveOptions
}

export async function prepareUpdate(exchange: Exchange, payload: DocumentPayload): Promise<PreparedUpdate> {
  const { uid, changeToken, properties = {} } = payload
  // A token without the id it belongs to is not looked at; clients send old ones along.
  const isChecked = uid !== undefined && changeToken !== undefined
  const options = { ...saveOptionsOf(exchange.request), ...(isChecked && { changeToken }) }
  return { payload, options, staged: await stageSentBlobs(exchange, properties) }
}

/** Saves the changes and gives what the client is shown: the document, or the version that it asked for and may read. */
export async function saveUpdate(
  session: WriteSession,
  exchange: Exchange,
  update: PreparedUpdate,
  document: Document,
): Promise<Document> {
  const { staged, options } = update
  const { uid, properties = {} } = update.payload
  await requireSameDocument(session, uid, document)
  const { model, principal } = session
  const shape = shapeSeen(model, document)
  watchUnknownProperties(properties, model, shape, exchange)
  const blobs = await resolveBlobs(session, staged, { shape, current: document })
  const emptyStringIsNull = isEmptyStringNull(exchange.request, exchange.services.facts)
  const changes = (current: Document) =>
    readProperties(properties, { model, shape, principal, current, blobs, emptyStringIsNull })
  const saved = await saveDocument(session, document.id, changes, options)
  const asksForVersion = options.source !== undefined || options.versioning === 'minor' || options.versioning === 'major'
  return asksForVersion ? ((await findReadableVersion(session, saved)) ?? saved) : saved
}

/** The newest version, provided that the caller may see it: whoever writes on a publication does not see the drafts behind it. */
async function findReadableVersion(session: WriteSession, { id, seriesId }: Document): Promise<Document | undefined> {
  const version = await session.tx.documents.findLatestVersion(seriesId ?? id)
  if (version === undefined) return undefined
  for (const permission of ['ReadVersion', 'Read']) {
    if (!(await hasPermission(session, version, permission))) return undefined
  }
  return version
}

async function requireSameDocument(session: WriteSession, uid: string | undefined, document: Document): Promise<void> {
  if (uid === undefined || uid === document.id) return
  if ((await findStored(session, uid)) === undefined) throw documentNotFound({ reference: uid })
  throw otherDocument({ sent: uid, addressed: document.id })
}
