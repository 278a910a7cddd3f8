import { blobNotFound, readBlobAt } from '../../core/blobs/blob-place.ts'
import type { DocumentBlob } from '../../core/blobs/document-blobs.ts'
import { documentNotFound, findReadable } from '../../core/documents/read-document.ts'
import { renderDefault } from '../../core/renditions/renditions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { notAuthenticated } from '../../rest/authenticator.ts'
import { answerDownload } from '../../rest/download/download.ts'
import { downloadQuery as query } from '../../rest/download/download-conditions.ts'
import type { Download } from '../../rest/download/download-rule.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { downloadAnswers as answers } from '../../rest/openapi/resource-answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { blobUrl, parseBlobTail } from '../../rest/render/blob-url.ts'
import { shownChangeToken } from '../../rest/render/rendering.ts'
import { downloadHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { parsePlainPath } from '../../rest/request/url-path.ts'
import type { Route } from '../../rest/route.ts'
import { downloadOfRendition, renditionCallOf } from './rendition-call.ts'

const headers = Type.Object(downloadHeaders)

/** The addresses that `data` of a blob names, and their older synonym. */
export const downloadRoutes: readonly Route[] = [
  { name: 'nxfile', by: '' },
  { name: 'nxbigfile', by: 'ByAlias' },
].flatMap(({ name, by }): Route[] => [
  {
    method: 'GET',
    path: `/${name}/{repository}/{docId}`,
    operationId: `downloadMainFile${by}`,
    under: 'server',
    repositoryIn: 'repository',
    summary: 'Download the default rendition of a document: its main file, or those in a folder or collection as an archive',
    query,
    headers,
    answers,
    handle: (exchange, { docId = '' }) =>
      exchange.read(async (session) => {
        const document = await readForDownload(session, docId)
        return answerDownload(exchange, session, await renderForDownload(exchange, session, document))
      }),
  },
  {
    method: 'GET',
    path: `/${name}/{repository}/{docId}/{blob+}`,
    operationId: `downloadFile${by}`,
    under: 'server',
    repositoryIn: 'repository',
    summary: 'Download a file of a document: its xpath, and behind it the name to save it under',
    query,
    headers,
    answers,
    handle: (exchange, { docId = '' }) =>
      exchange.read(async (session) => {
        const named = await readNamedBlob(session, docId, exchange.request)
        return answerDownload(exchange, session, { ...named, reason: 'download' })
      }),
  },
])

/** @throws blobNotFound */
async function renderForDownload(exchange: Exchange, session: Session, document: Document): Promise<Download> {
  const rendered = await renderDefault(exchange.services.renditions, renditionCallOf(exchange, session, document), 'download')
  if (rendered === undefined) throw blobNotFound({ xpath: 'blobholder:0' })
  const { rendition, ...file } = rendered
  return downloadOfRendition(document, file, { reason: 'download', ...(rendition !== 'mainBlob' && { rendition }) })
}

interface NamedBlob extends DocumentBlob {
  readonly document: Document
  /** As the address has it. */
  readonly name?: string
}

/** The blob that the path names behind repository and document. @throws notAuthenticated, documentNotFound, blobNotFound */
async function readNamedBlob(session: Session, docId: string, request: ApiRequest): Promise<NamedBlob> {
  const document = await readForDownload(session, docId)
  // As it was sent: a slash or a semicolon in a name is not one of the path.
  const [, , , ...tail] = parsePlainPath(request.rawPath).segments.map(({ text }) => text)
  const parsed = parseBlobTail(session.model, tail)
  if (parsed === undefined) throw blobNotFound({ xpath: tail.join('/') })
  const { address, name } = parsed
  return { ...readBlobAt(session, document, address), document, ...(name !== undefined && { name }) }
}

/** Whether it does not exist or may not be read is not told; an anonymous client is asked to sign in. */
async function readForDownload(session: Session, id: string): Promise<Document> {
  const document = await findReadable(session, id)
  if (document !== undefined) return document
  throw session.principal.isAnonymous ? notAuthenticated({}) : documentNotFound({ reference: id })
}

/** What a desktop program must know to open a file: its type, name and address in one line. */
export const downloadInfoRoute: Route = {
  method: 'GET',
  path: '/nxdownloadinfo/{repository}/{docId}/{blob+}',
  operationId: 'getDownloadInfo',
  under: 'server',
  repositoryIn: 'repository',
  summary: 'Type, name and address of a file of a document, as text',
  answers: {
    200: bytesAnswer('`type:name:address`, the name encoded', 'text/plain'),
    404: 'no such document or file, or none that may be read',
  },
  handle: (exchange, { docId = '' }) =>
    exchange.read(async (session) => {
      const { document, blob, xpath, name = blob.name ?? 'file' } = await readNamedBlob(session, docId, exchange.request)
      const changeToken = shownChangeToken(session.repository.rules, document)
      const address = { repository: document.repository, documentId: document.id, xpath, name, changeToken }
      const url = blobUrl(exchange.request.baseUrl, address)
      const text = [blob['mime-type'] ?? 'application/octet-stream', formEncoded(name), url].join(':')
      return { kind: 'text', status: 200, contentType: 'text/plain;charset=UTF-8', text }
    }),
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text.toWellFormed() }).toString().slice(1)
}
