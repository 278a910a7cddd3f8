// `npm run walks`: writes the section of docs/architecture.md about the files that requests pass.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { walkRequests } from './walked-requests.ts'
import { withWalks } from './walks-page.ts'

const page = join(import.meta.dirname, '../../docs/architecture.md')
const walks = await walkRequests()
await writeFile(page, withWalks(await readFile(page, 'utf8'), walks))
for (const { name, files } of walks) console.log(`${name}: ${files.length}`)
