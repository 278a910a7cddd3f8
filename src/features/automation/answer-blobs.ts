import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FlowingBlob } from '../../automation/values/flowing-blob.ts'
import { newId } from '../../base/ids.ts'
import { openBlob, requireBytes } from '../../core/blobs/open-blob.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import { contentDisposition } from '../../rest/download/content-disposition.ts'
import { announceDownload, answerDownload } from '../../rest/download/download.ts'
import { contentTypeOf, sandboxHeaders } from '../../rest/download/download-headers.ts'
import { type Download, downloadRefused, mayDownload } from '../../rest/download/download-rule.ts'
import type { Answering } from '../../rest/request/exchange.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'

/** One file, as any download. @throws downloadRefused, blobMissing */
export function answerBlob(exchange: Answering, session: Session, blob: FlowingBlob): Promise<Answer> {
  return answerDownload(exchange, session, downloadOf(blob))
}

/** Files one behind the other; of none, the content type tells that there could have been some. @throws downloadRefused, blobMissing */
export async function answerBlobs(exchange: Answering, session: Session, blobs: readonly FlowingBlob[]): Promise<Answer> {
  const { vendored, downloads } = exchange.services
  if (blobs.length === 0) {
    return { kind: 'empty', status: 204, headers: { 'Content-Type': vendored('application/platform-empty-list') } }
  }
  const store = session.repository.blobs
  for (const download of blobs.map(downloadOf)) {
    if (!(await mayDownload(downloads.rules, session, download))) throw downloadRefused({})
    // Once the first byte is sent, the client cannot be told any more that one is missing.
    await requireBytes(store, download)
    await announceDownload(session, download)
  }
  return answerParts(store, blobs, downloads.sandboxesActiveContent)
}

function downloadOf({ source, furtherSources = [], ...content }: FlowingBlob): Download {
  const download: Download = { ...content, ...source, reason: 'download' }
  return { ...download, contains: furtherSources.map((further) => ({ ...download, ...further })) }
}

function answerParts(store: BlobStore, blobs: readonly FlowingBlob[], isSandboxed: boolean): Answer {
  const boundary = `----=_Part_${newId()}`
  const parts = blobs.map((blob) => ({ blob, head: Buffer.from(headOf(boundary, blob)) }))
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = parts.reduce((sum, { blob, head }) => sum + head.length + blob.blob.length, end.length)
  const contentType = `multipart/mixed; boundary="${boundary}"`
  return {
    kind: 'stream',
    status: 200,
    contentType,
    stream: Readable.from(everyByte(store, parts, end), { objectMode: false }),
    headers: { 'Content-Length': String(length), ...(isSandboxed && sandboxHeaders('inline', contentType)) },
  }
}

function headOf(boundary: string, { blob }: FlowingBlob): string {
  const lines = [
    `--${boundary}`,
    `Content-Type: ${contentTypeOf(blob)}`,
    `Content-Disposition: ${contentDisposition('attachment', blob.name?.trim() ? blob.name : 'file')}`,
    `Content-Length: ${blob.length}`,
  ]
  return `\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Each file is opened when the one before it was sent. */
async function* everyByte(
  store: BlobStore,
  parts: readonly { readonly blob: FlowingBlob; readonly head: Buffer }[],
  end: Buffer,
): AsyncGenerator<Uint8Array> {
  for (const { blob, head } of parts) {
    yield head
    yield* (await openBlob(store, blob)) as AsyncIterable<Uint8Array>
  }
  yield end
}
