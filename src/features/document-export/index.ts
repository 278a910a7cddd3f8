import { defineOperation } from '../../automation/operation.ts'
import { defaulted } from '../../automation/parameter.ts'
import { requireRead } from '../../core/documents/read-document.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { renditionCallIn } from '../files/index.ts'
import { packTree, writeXml } from './export-archive.ts'
import { exportRenditions } from './export-renditions.ts'
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
      const { services } = context
      await requireRead(session, document)
      if (!params.exportAsTree && !params.exportAsZip) return writeXml(services, session, document)
      const documents = params.exportAsTree ? everyExported(session, document) : [exportedAlone(document)]
      return packTree(services, renditionCallIn(context, document), documents)
    }),
  ],
})

/** Documents as XML, alone or in archives with their files and all that is below them. */
export default definePlugin({
  name: 'document-export',
  requires: ['files'],
  operations: [exportDocument],
  contribute: (_, services) => ({ renditions: exportRenditions(services) }),
})
