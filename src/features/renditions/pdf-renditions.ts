import { mainBlob } from '../../core/blobs/document-blobs.ts'
import { converterUnavailable, noConverter } from '../../core/conversion/converter.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenderedFile, Rendition, RenditionCall } from '../../core/renditions/rendition.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'
import { downloadRefused } from '../../rest/download/download-rule.ts'
import type { Services } from '../../rest/services.ts'

const pdf = 'application/pdf'
const media = ['Picture', 'Video', 'Audio']

/** The main file as a PDF, wherever it can be made one (contract: blobs 7.2). */
export function pdfRenditions(services: Pick<Services, 'conversions'>): readonly Rendition[] {
  const render = (call: RenditionCall) => renderPdf(services, call)
  const hasFacet = ({ model }: Session, document: Document, facets: readonly string[]) =>
    facets.some((facet) => shapeSeen(model, document).hasFacet(facet))
  const common = { icon: 'pdf.png', mimeType: pdf, render }
  return [
    {
      ...common,
      name: 'pdf',
      order: 30,
      isAvailable: (session, document) => mainBlob(session, document) !== undefined && !hasFacet(session, document, media),
    },
    { ...common, name: 'imageToPDF', order: 80, isAvailable: (session, document) => hasFacet(session, document, ['Picture']) },
  ]
}

/** Undefined where nothing here makes one of such a file. @throws downloadRefused and what converting throws */
async function renderPdf({ conversions }: Pick<Services, 'conversions'>, call: RenditionCall): Promise<RenderedFile | undefined> {
  const { session, document, signal } = call
  const source = mainBlob(session, document)
  if (source === undefined) return undefined
  // Who may not have the file may not have another form of it either.
  if (!(await call.mayTake({ ...source, document }))) throw downloadRefused({})
  try {
    const { repository, principal } = session
    const wish = { user: actingName(principal), signal }
    const [blob] = await conversions.convert({ repository, source, target: { type: pdf }, ...wish })
    return blob && { blob, ...(blob.key === source.blob.key && { xpath: source.xpath }) }
  } catch (error) {
    if (noConverter.is(error) || converterUnavailable.is(error)) return undefined
    throw error
  }
}
