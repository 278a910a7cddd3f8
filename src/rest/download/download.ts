import { plainFileName } from '../../base/plain-file-name.ts'
import { defineProblem } from '../../base/problem.ts'
import { announceDownloadEvent, type DownloadNote } from '../../core/blobs/announce-download.ts'
import { openBlob, requireBytes } from '../../core/blobs/open-blob.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { ByteRange } from '../../store/blobs/blob-store.ts'
import type { Answer, AnswerHeaders } from '../answer.ts'
import { readQuery } from '../payload/declared-input.ts'
import type { Answering } from '../request/exchange.ts'
import { contentDisposition, type Disposition } from './content-disposition.ts'
import { type DownloadPlan, downloadQuery, planDownload, type Validators } from './download-conditions.ts'
import { contentTypeOf, digestHeaders, sandboxHeaders } from './download-headers.ts'
import { type Download, downloadRefused, mayDownload } from './download-rule.ts'
import { findHandOff } from './hand-off.ts'

export const preconditionFailed = defineProblem(
  'preconditionFailed',
  'preconditionFailed',
  (_: object) => 'The file is not what the conditions of the request ask for.',
)

export const rangeNotSatisfiable = defineProblem(
  'rangeNotSatisfiable',
  'rangeNotSatisfiable',
  (of: { length: number }) => `The range starts beyond the end of the file, which has ${of.length} bytes.`,
)

/**
 * The answer to a request for a blob, wherever it comes from (contract: blobs 3.4 to 3.8).
 * @throws downloadRefused, preconditionFailed, rangeNotSatisfiable, blobMissing
 */
export async function answerDownload(exchange: Answering, session: Session, download: Download): Promise<Answer> {
  const { request, services } = exchange
  if (!(await mayDownload(services.downloads.rules, session, download))) throw downloadRefused({})
  const validators = validatorsOf(download)
  const plan = download.isPassing ? whole : planDownload(request, validators)
  switch (plan.kind) {
    case 'notModified':
      return {
        kind: 'empty',
        status: 304,
        headers: { ...validatorHeaders(validators), ...lastingHeaders(request.query, download) },
      }
    case 'preconditionFailed':
      throw preconditionFailed({})
    case 'rangeBeyondEnd':
      throw rangeNotSatisfiable({ length: validators.length })
    case 'whole':
      return answerBytes(exchange, session, download, validators)
    case 'part':
      return answerBytes(exchange, session, download, validators, plan.range)
  }
}

const whole: DownloadPlan = { kind: 'whole' }

async function answerBytes(
  exchange: Answering,
  session: Session,
  download: Download,
  validators: Validators,
  range?: ByteRange,
): Promise<Answer> {
  const { blobs } = session.repository
  const head = headOf(exchange, download, validators, range)
  if (exchange.request.method === 'HEAD') {
    await requireBytes(blobs, download)
    return { kind: 'empty', status: head.status, headers: { 'Content-Type': head.contentType, ...head.headers } }
  }
  const { clientReason } = readQuery(downloadQuery, exchange.request.query)
  const told = clientReason === undefined ? {} : { clientReason: clientReason.slice(0, longestReason) }
  const redirect = await findDirectUrl(exchange, session, download, head)
  if (redirect !== undefined) {
    await tell(session, download, range, { ...told, redirect })
    return { kind: 'empty', status: 302, headers: { Location: redirect } }
  }
  const handedOff = await findHandOff(exchange, session, download, head)
  if (handedOff !== undefined) {
    await tell(session, download, range, told)
    return handedOff
  }
  const stream = await openBlob(blobs, download, range)
  try {
    await tell(session, download, range, told)
  } catch (error) {
    stream.destroy()
    throw error
  }
  return { kind: 'stream', stream, ...head }
}

/** What is said of the bytes before they follow. */
export interface DownloadHead {
  readonly status: 200 | 206
  readonly contentType: string
  readonly headers: AnswerHeaders & { readonly 'Content-Disposition': string }
}

function headOf(
  { request, services }: Answering,
  download: Download,
  validators: Validators,
  range: ByteRange | undefined,
): DownloadHead {
  const { blob } = download
  const contentType = contentTypeOf(blob)
  const disposition = dispositionOf(request.query, download)
  const { length } = validators
  return {
    status: range === undefined ? 200 : 206,
    contentType,
    headers: {
      'Content-Disposition': contentDisposition(disposition, fileNameOf(download)),
      'Content-Length': String(range === undefined ? length : range.end - range.start + 1),
      ...(download.isPassing ? passingHeaders : { ...validatorHeaders(validators), ...lastingHeaders(request.query, download) }),
      'Accept-Ranges': 'bytes',
      ...(range !== undefined && { 'Content-Range': `bytes ${range.start}-${range.end}/${length}` }),
      ...digestHeaders(request, blob, range === undefined),
      ...(services.downloads.sandboxesActiveContent && sandboxHeaders(disposition, contentType)),
      ...(download.policy !== undefined && { 'Content-Security-Policy': download.policy }),
    },
  }
}

function dispositionOf(query: URLSearchParams, { isInline }: Download): Disposition {
  return isInline || readQuery(downloadQuery, query).inline ? 'inline' : 'attachment'
}

function fileNameOf({ name, blob }: Download): string {
  // `..` is no name that a client could save it under.
  return [name, blob.name].find((one) => one != null && plainFileName(one) !== '') ?? 'file'
}

/** What a download is known by, and what conditions of a request are compared with. */
export function validatorsOf({ blob, document, isUndated = false }: Omit<Download, 'reason'>): Validators {
  const lastModified = isUndated ? undefined : document && modifiedAt(document)
  return { etag: `"${blob.digest}"`, lastModified, length: blob.length }
}

function modifiedAt({ properties }: Document): number | undefined {
  const modified = properties['dc:modified']
  return typeof modified === 'string' ? Date.parse(modified) : undefined
}

function validatorHeaders({ etag, lastModified }: Validators): AnswerHeaders {
  return { ETag: etag, ...(lastModified !== undefined && { 'Last-Modified': new Date(lastModified).toUTCString() }) }
}

const passingHeaders: AnswerHeaders = { 'Cache-Control': 'no-store' }

/** An address that names the content leads to the same bytes for ever, so that nobody needs to ask again. */
function lastingHeaders(query: URLSearchParams, { blob, madeOf }: Download): AnswerHeaders {
  const digest = query.get('digest')
  const isNamed = digest !== null && (digest === blob.digest || digest === madeOf)
  return isNamed ? { 'Cache-Control': 'private, max-age=31536000, immutable' } : {}
}

/** Where the store itself serves the blob, if the deployment wants it to. */
async function findDirectUrl(
  { services }: Answering,
  { repository: { blobs } }: Session,
  { blob, bytes }: Download,
  { contentType, headers }: DownloadHead,
): Promise<string | undefined> {
  if (!services.downloads.sendsToStore || bytes !== undefined) return undefined
  const contentDisposition = headers['Content-Disposition']
  return blobs.directUrl?.(blob.key, { contentType, contentDisposition, cacheControl: 'private' })
}

/** What a row of the log has room for, and nobody reads more of. */
const longestReason = 200

type ToldDownload = Pick<DownloadNote['properties'], 'redirect' | 'clientReason'>

/** Once for a file: a client that fetches it in parts begins with the first. */
async function tell(session: Session, download: Download, range: ByteRange | undefined, told: ToldDownload): Promise<void> {
  if (range === undefined || range.start === 0) await announceDownload(session, download, told)
}

/** Tells listeners that the file of a document is about to be sent. */
export async function announceDownload(session: Session, download: Download, told: ToldDownload = {}): Promise<void> {
  const { document, reason, rendition, xpath = null } = download
  if (document === undefined || reason === 'webengine' || download.isSilent) return
  const fileName = fileNameOf(download)
  const properties = {
    blobXPath: xpath,
    blobFilename: fileName,
    downloadReason: reason,
    ...(rendition !== undefined && { rendition }),
    ...told,
  }
  await announceDownloadEvent(session, { document, fileName, properties })
  for (const part of download.contains ?? []) await tell(session, part, undefined, told)
}
