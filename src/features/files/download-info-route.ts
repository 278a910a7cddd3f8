import { blobUrl } from '../../rest/blob-url.ts'
import type { Route } from '../../rest/route.ts'
import { shownChangeToken } from '../../rest/shown-change-token.ts'
import { readNamedBlob } from './download-routes.ts'

/** What a desktop program must know to open a file: its type, name and address in one line. */
export const downloadInfoRoute: Route = {
  method: 'GET',
  path: '/nxdownloadinfo/{repository}/{docId}/{blob+}',
  under: 'server',
  repositoryIn: 'repository',
  summary: 'Type, name and address of a file of a document, as text',
  answers: { 200: '`type:name:address`, the name encoded', 404: 'no such document or file, or none that may be read' },
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
