// Imports the files that its parent sends, several at once, and ends.
import { once } from 'node:events'
import type { MixedFile } from '../support/conversion/mixed-files.ts'
import { importFile } from './import-file.ts'

const [url = '', folder = '', atOnce = '1'] = process.argv.slice(2)
const [files] = (await once(process, 'message')) as [readonly MixedFile[]]
const left = files.values()
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    for (const file of left) await importFile(url, folder, file)
  }),
)
process.disconnect?.()
