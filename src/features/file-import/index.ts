import type { ExitCode } from '../../command/command.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { ImportCall } from './commands/import-folder.ts'
import { importers } from './importers.ts'
import { createFolderOperation } from './operations/folder.ts'
import { importFiles, importWithProperties } from './operations/import.ts'

export type { FolderImportOptions } from './commands/import-folder.ts'
export { createFolder } from './create-folder.ts'
export { importAs, requireAllowed } from './import-as.ts'
export { importBlobs } from './import-blobs.ts'
export { type FileImport, importFile, prepareImport } from './import-file.ts'
export { storedFile } from './source-file.ts'

/** The command's part of it, loaded when it is called. */
export async function importFolder(call: ImportCall): Promise<ExitCode> {
  return (await import('./commands/import-folder.ts')).importFolder(call)
}

/** Files that are dropped into a folder become documents of the types that suit them. */
export default definePlugin({
  name: 'file-import',
  requires: ['mime-types'],
  importers,
  operations: [importFiles, importWithProperties, createFolderOperation],
})
