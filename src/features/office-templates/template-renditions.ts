import { openContext } from '../../automation/run/open-context.ts'
import { accessIn } from '../../core/access.ts'
import { mainBlob } from '../../core/blobs/document-blobs.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenderedFile, Rendition, RenditionCall } from '../../core/renditions/rendition.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { backgroundEnvironment } from '../../rest/operations/background-environment.ts'
import type { Services } from '../../rest/services.ts'
import { listBound } from './bound-template.ts'
import { type BoundTemplate, renderBound } from './render-template.ts'
import { boundFacet } from './template-model.ts'

/** The renditions for which a template can say that it makes them, with `tmpl:targetRenditionName`. */
export function templateRenditions(services: Services): readonly Rendition[] {
  const rendition = (name: string, icon: string, order: number): Rendition => ({
    ...{ name, icon, order, isPerUser: true },
    isAvailable: async (session, document) => (await findTemplate(session, document, name)) !== undefined,
    render: (call) => render(services, call, name),
  })
  return [rendition('delivery', 'delivery.png', 90), rendition('webView', 'htmlView.png', 91)]
}

async function findTemplate(session: Session, document: Document, rendition: string): Promise<BoundTemplate | undefined> {
  if (!shapeSeen(session.model, document).hasFacet(boundFacet)) return undefined
  return (await listBound(session, document)).find(({ source }) => source.rendition === rendition)
}

async function render(services: Services, call: RenditionCall, name: string): Promise<RenderedFile | undefined> {
  const { session, document } = call
  const bound = await findTemplate(session, document, name)
  if (bound === undefined) return undefined
  const environment = backgroundEnvironment({ access: accessIn(session), services, baseUrl: '' })
  const { blob, bytes } = await renderBound(openContext(environment, session), document, bound)
  const template = bound.source.document
  const file = mainBlob(session, template)
  const contains = file === undefined ? [] : [{ ...file, document: template }]
  return { blob, ...(bytes !== undefined && { bytes }), isUndated: true, contains }
}
