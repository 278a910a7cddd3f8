import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenderedFile, Rendition, RenditionCall } from '../../core/renditions/rendition.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { packTree, writeXml } from './export-archive.ts'
import { everyExported, exportedAlone } from './exported-documents.ts'

/** Documents as XML and as archives, for whoever may read them. */
export function exportRenditions(services: Pick<Services, 'vendored' | 'valuesOf'>): readonly Rendition[] {
  return [
    {
      name: 'zipExport',
      icon: 'zip_export.png',
      mimeType: 'application/zip',
      order: 40,
      isAvailable: (session, document) => !isFolder(session, document),
      render: async (call) => undated(await packTree(services, call, [exportedAlone(call.document)])),
    },
    {
      name: 'xmlExport',
      icon: 'xml.png',
      mimeType: 'text/xml',
      order: 50,
      isAvailable: () => true,
      render: async ({ session, document }: RenditionCall) => undated(await writeXml(services, session, document)),
    },
    {
      name: 'zipTreeExport',
      icon: 'zip_tree_export.png',
      mimeType: 'application/zip',
      order: 60,
      isPerUser: true,
      isAvailable: isFolder,
      render: async (call) => undated(await packTree(services, call, everyExported(call.session, call.document))),
    },
  ]
}

/** Rights, tags and names are in it, and change without the date of the document. */
function undated(file: RenderedFile): RenderedFile {
  return { ...file, isUndated: true }
}

function isFolder({ model }: Session, document: Document): boolean {
  return shapeSeen(model, document).hasFacet('Folderish')
}
