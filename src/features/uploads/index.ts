import { definePlugin } from '../../plugin/define-plugin.ts'
import { batchRoutes } from './batch-routes.ts'
import { fileRoutes } from './file-routes.ts'
import { uploadRouteSettings } from './settings.ts'

export { forBatch, noBatch } from './addressed-batch.ts'

/** Files sent ahead of what they are for: batches, and the files and chunks in them. */
export default definePlugin({
  name: 'uploads',
  routes: batchRoutes,
  settings: uploadRouteSettings,
  contribute: ({ batchUploadMultipartDisabled }) => ({ routes: fileRoutes({ readsForms: !batchUploadMultipartDisabled }) }),
})
