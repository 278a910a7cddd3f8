import { definePlugin } from '../../plugin/define-plugin.ts'
import { fileImportCommands } from './commands.ts'
import { importers } from './importers.ts'
import { createFolderOperation } from './operations/folder.ts'
import { importFiles, importWithProperties } from './operations/import.ts'

export { importAs, requireAllowed } from './import-as.ts'
export { importBlobs } from './import-blobs.ts'
export { type FileImport, importFile, prepareImport } from './import-file.ts'
export { storedFile } from './source-file.ts'

/** Files that are dropped into a folder become documents of the types that suit them. */
export default definePlugin({
  name: 'file-import',
  commands: fileImportCommands,
  requires: ['mime-types'],
  importers,
  operations: [importFiles, importWithProperties, createFolderOperation],
})
