import { definePlugin } from '../../plugin/define-plugin.ts'
import { documentReportRoutes } from './document-report.ts'
import { placesRoute } from './places-report.ts'

/** Who can do something with a document and why, and where somebody was given or denied something (contract: adapters 3.4). */
export default definePlugin({
  name: 'permission-report',
  requires: ['content-model', 'people', 'access'],
  routes: [...documentReportRoutes, placesRoute],
})
