import { definePlugin } from '../../plugin/define-plugin.ts'
import { blobAdapter } from './blob-adapter.ts'
import { downloadInfoRoute } from './download-info-route.ts'
import { downloadRoutes } from './download-routes.ts'
import { resultRoutes } from './result-routes.ts'

/** The files of documents, to download and to replace. */
export default definePlugin({
  name: 'files',
  requires: ['documents'],
  adapters: [blobAdapter],
  routes: [...downloadRoutes, downloadInfoRoute, ...resultRoutes],
})
