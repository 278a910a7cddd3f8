import type { OperationContext } from '../../automation/context.ts'
import type { RenderedFile, RenditionCall, TakenFile } from '../../core/renditions/rendition.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { announceDownload } from '../../rest/download/download.ts'
import { type Download, type DownloadReason, mayTake } from '../../rest/download/download-rule.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { asStored } from './document-file.ts'

/** A rendition for the client of a request. One that asks for the headers alone has downloaded nothing. */
export function renditionCallOf(
  { services, request }: Exchange,
  session: Session,
  document: Document,
  { size }: Pick<RenditionCall, 'size'> = {},
): RenditionCall {
  return {
    session,
    document,
    ...(size !== undefined && { size }),
    // Made when it is asked for, which for what is stored is never.
    get signal() {
      return request.signal
    },
    mayTake: (file) => mayTake(services.downloads.rules, session, downloadOf(file)),
    tellTaken: async (file) => (request.method === 'HEAD' ? undefined : announceDownload(session, downloadOf(file))),
  }
}

/** A rendition for a step of an operation, which can do with it what it likes. */
export function renditionCallIn(context: OperationContext, document: Document): RenditionCall {
  const { session, host } = context
  return {
    session,
    document,
    signal: host.signal,
    mayTake: async ({ document: owner, xpath = '', ...content }) =>
      host.mayDownload(session, { ...content, source: { document: await asStored(context, owner), xpath } }),
    tellTaken: (file) => announceDownload(session, downloadOf(file)),
  }
}

/** A file that is handed over as a part of another. */
function downloadOf(file: TakenFile): Download {
  return { ...file, reason: 'download' }
}

/** A rendition as a download of the document. */
export function downloadOfRendition(
  document: Document,
  { contains = [], ...rendered }: RenderedFile,
  told: { readonly reason: DownloadReason; readonly rendition?: string },
): Download {
  return { ...rendered, document, ...told, contains: contains.map(downloadOf) }
}
