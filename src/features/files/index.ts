import { definePlugin } from '../../plugin/define-plugin.ts'
import { tellTakenElsewhere } from '../../rest/download/taken-elsewhere.ts'
import { blobAdapter } from './blob-adapter.ts'
import { downloadInfoRoute, downloadRoutes } from './download-routes.ts'
import { mainRendition } from './main-rendition.ts'
import { attachOnCurrentDocument, attachOnDocument, setDocumentBlob } from './operations/attach.ts'
import { removeFromDocument, setBlobName } from './operations/change.ts'
import { exportToFileSystem } from './operations/export.ts'
import { getBlob, getBlobs, getBlobsByProperty } from './operations/get.ts'
import { remoteOperations } from './operations/remote.ts'
import { bulkDownload, createZip } from './operations/zip.ts'
import { resultRoutes } from './result-routes.ts'
import { fileSettings } from './settings.ts'

export { parseBlobTarget, withBlobsAt } from './blob-target.ts'
export { readTakenFile } from './document-file.ts'
export { entryDate, type Packing, storeZip, zipContent } from './pack-files.ts'
export { downloadOfRendition, renditionCallIn, renditionCallOf } from './rendition-call.ts'
export { fileSettings } from './settings.ts'

/** The files of documents, to download and to replace. */
export default definePlugin({
  name: 'files',
  requires: ['documents'],
  adapters: [blobAdapter],
  renditions: [mainRendition],
  routes: [...downloadRoutes, downloadInfoRoute, ...resultRoutes],
  operations: [
    attachOnDocument,
    setDocumentBlob,
    attachOnCurrentDocument,
    removeFromDocument,
    setBlobName,
    getBlob,
    getBlobs,
    getBlobsByProperty,
    bulkDownload,
    createZip,
    exportToFileSystem,
  ],
  settings: fileSettings,
  contribute: ({ remoteFileTimeout: millis }, services) => ({
    operations: remoteOperations({ millis }),
    jobs: [tellTakenElsewhere(services)],
  }),
})
