import { blobNotFound } from '../../core/blobs/blob-place.ts'
import type { BlobContent } from '../../core/blobs/open-blob.ts'
import type { Session } from '../../core/session.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { adapterMethod, defineAdapter } from '../../rest/adapter.ts'
import type { Answer } from '../../rest/answer.ts'
import { answerDownload } from '../../rest/download/download.ts'
import { downloadQuery } from '../../rest/download/download-conditions.ts'
import { downloadRefused, mayDownload } from '../../rest/download/download-rule.ts'
import { downloadAnswers } from '../../rest/openapi/resource-answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { makePreview, type PreviewCall } from './make-preview.ts'
import { notAvailablePage } from './preview-page.ts'
import { findPreviewSource, type PreviewSource } from './preview-source.ts'

/** A file, or the main one of a document, as a page to look at: `/@preview/`, and what belongs to the page below it. */
const previewAdapter = defineAdapter({
  name: 'preview',
  summary: 'A page that shows the file, or the main file of the document, in a browser',
  accepts: ['document', 'blob'],
  tail: '{part}',
  methods: {
    GET: adapterMethod({
      summary: 'A page that shows the file, or what belongs to that page',
      query: Type.Object({
        ...downloadQuery.properties,
        blobPostProcessing: Type.Optional(Type.String({ description: 'Has no meaning here' })),
      }),
      answers: { ...downloadAnswers, 404: 'there is no file, no way to show it, or no such part' },
      handle: ({ exchange, tail, resolve }) =>
        exchange.read(async (session) => {
          const source = findPreviewSource(session, await resolve(session))
          if (source === undefined) throw blobNotFound({ xpath: 'blobholder:0' })
          return answerPreview(exchange, session, source, tail.join('/'))
        }),
    }),
  },
})

/** @throws downloadRefused, blobNotFound */
async function answerPreview(exchange: Exchange, session: Session, source: PreviewSource, part: string): Promise<Answer> {
  const { services } = exchange
  const { document, xpath } = source
  const told = {
    reason: 'preview',
    isInline: true,
    ...(document && { document }),
    ...(xpath !== undefined && { xpath }),
  } as const
  for (const { xpath: place = xpath, blob, bytes } of [source, ...(source.shows ? [source.shows] : [])]) {
    const asked = { blob, ...(bytes && { bytes }), ...told, ...(place !== undefined && { xpath: place }) }
    if (!(await mayDownload(services.downloads.rules, session, asked))) throw downloadRefused({})
  }
  const preview = await makePreview(previewCall(exchange, session), source)
  if (preview === undefined) return notAvailable
  if (part === '') return answerDownload(exchange, session, { ...preview.page, ...told, policy: preview.policy })
  const content: BlobContent | undefined = preview.parts.get(part)
  if (content === undefined) throw blobNotFound({ xpath: part })
  return answerDownload(exchange, session, { ...content, ...told })
}

const notAvailable: Answer = { kind: 'text', status: 404, contentType: 'text/html;charset=UTF-8', text: notAvailablePage }

/** Links in the page are relative, so that they work wherever a proxy has the server. */
function previewCall({ services, request }: Exchange, session: Session): PreviewCall {
  const { serverPath, baseUrl } = request
  const own = serverPath.slice(0, serverPath.lastIndexOf('/@preview') + '/@preview'.length)
  return {
    services,
    session,
    signal: request.signal,
    toParts: serverPath.length > own.length ? '' : '@preview/',
    folder: sourceExpression(`${baseUrl}${own.slice(1)}/`),
  }
}

/** An address as a source of a policy, in which `;` and `,` would end it. */
function sourceExpression(address: string): string {
  return address.replaceAll(';', '%3B').replaceAll(',', '%2C').replaceAll(/\s/g, '%20')
}

/** Files as pages to look at. */
export default definePlugin({ name: 'preview', requires: ['files', 'conversion'], adapters: [previewAdapter] })
