import type { NewDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { ClientSaveOptions } from '../../core/save-options.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { plainNameOf } from '../../model/trashed-name.ts'
import { type DocumentPayload, isEmptyStringNull, requireTypeAndName } from '../../rest/payload/document-payload.ts'
import { resolveBlobs, type StagedBlobs } from '../../rest/payload/sent-blobs.ts'
import { readProperties } from '../../rest/payload/sent-properties.ts'
import { stageSentBlobs } from '../../rest/payload/stage-sent-blobs.ts'
import { watchUnknownProperties } from '../../rest/payload/unknown-properties.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { saveOptionsOf } from './save-options.ts'

/** What a POST says, read and its blobs stored, before the transaction. */
export interface PreparedCreation {
  readonly payload: DocumentPayload
  readonly staged: StagedBlobs
  readonly options: ClientSaveOptions
}

export async function prepareCreation(exchange: Exchange, payload: DocumentPayload): Promise<PreparedCreation> {
  if (payload.uid === undefined) requireTypeAndName(payload)
  const options = saveOptionsOf(exchange.request)
  return { payload, options, staged: await stageSentBlobs(exchange, payload.properties ?? {}) }
}

/** The document to create. A `uid` names an existing one whose type and name the new one takes. */
export async function readCreation(
  session: WriteSession,
  exchange: Exchange,
  { payload, staged, options }: PreparedCreation,
  parent: Document,
): Promise<NewDocument> {
  const { uid, properties = {} } = payload
  const { type, name } = uid === undefined ? requireTypeAndName(payload) : asNew(await readDocument(session, uid))
  const { model, principal } = session
  const shape = model.shapeOf({ type })
  watchUnknownProperties(properties, model, shape, exchange)
  const blobs = await resolveBlobs(session, staged, { shape })
  const emptyStringIsNull = isEmptyStringNull(exchange.request, exchange.services.facts)
  return {
    parent,
    type,
    name: nameFrom(name),
    properties: (current) =>
      readProperties(properties, { model, shape, principal, current, blobs, emptyStringIsNull, nullIsDefault: true }),
    options,
  }
}

/** What a new document has of one that is there: the mark of the trash is on that one alone. */
function asNew(document: Document): { readonly type: string; readonly name: string } {
  return { type: document.type, name: plainNameOf(document) }
}
