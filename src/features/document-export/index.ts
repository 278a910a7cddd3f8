import { defineOperation } from '../../automation/operation.ts'
import { defaulted } from '../../automation/parameter.ts'
import { madeBlob } from '../../automation/values/flowing-blob.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { storeZip } from '../files/index.ts'
import { writeDocumentXml } from './document-xml.ts'
import { archiveEntries } from './export-archive.ts'
import { everyExported, exportedAlone } from './exported-documents.ts'

const exportDocument = defineOperation({
  id: 'Document.Export',
  category: 'Services',
  description: 'Gives the document as XML, or a zip archive of its XML and its files.',
  effect: 'waits',
  params: {
    exportAsTree: defaulted('boolean', false, { description: 'All that is below it, too; always an archive' }),
    exportAsZip: defaulted('boolean', false, { description: 'An archive' }),
  },
  run: ({ on }) => [
    on('document', 'blob', async (document, { session, context, params }) => {
      const { services, host } = context
      const { vendored } = services
      if (!params.exportAsTree && !params.exportAsZip) {
        const xml = await writeDocumentXml(session, document, exportedAlone(document), vendored)
        return madeBlob(xml, { name: 'document.xml', mimeType: 'text/xml' })
      }
      const documents = params.exportAsTree ? everyExported(session, document) : [exportedAlone(document)]
      return storeZip(session.repository, archiveEntries(context, documents), {
        services,
        name: 'export.zip',
        signal: host.signal,
      })
    }),
  ],
})

/** Documents as XML, alone or in archives with their files and all that is below them. */
export default definePlugin({ name: 'document-export', requires: ['files'], operations: [exportDocument] })
