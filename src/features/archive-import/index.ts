import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Services } from '../../rest/services.ts'
import { fileSettings } from '../files/index.ts'
import { exportImporter } from './export-importer.ts'
import { tableImporter } from './table-importer.ts'

export type { ExportedArchive, ExportedTally } from './import-exported.ts'

/** Loaded when a command asks for it. */
export const exportedArchives = () => import('./import-exported.ts')

const maxEntries = 20_000

/** Files go to one store, whichever repository the documents are in. */
function meansOf({ repositories, valuesOf }: Services) {
  const [repository] = repositories.values()
  if (repository === undefined) throw new Error('There is no repository.')
  const { model, blobs } = repository
  return { repository, model, blobs, limits: { maxEntries, maxBytes: valuesOf(fileSettings).archiveMaxBytes } }
}

/** Archives that are dropped into a folder and become documents again. */
export default definePlugin({
  name: 'archive-import',
  requires: ['files', 'file-import'],
  contribute: (_, services) => ({
    importers: [exportImporter(() => meansOf(services)), tableImporter(() => meansOf(services))],
  }),
})
