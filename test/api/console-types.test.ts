import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const types = 'console/src/api/entities.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-console-types-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** As `npm run lint` wants it to be written. */
async function tidied(source: string): Promise<string> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const running = run(process.execPath, [biome, 'check', '--write', `--stdin-file-path=${types}`], { cwd: root })
  running.child.stdin?.end(source)
  return (await running).stdout
}

test('the console knows answers as the server describes them; where it does not, npm run console-types has them anew', async () => {
  const made = join(folder, 'entities.ts')
  await run(process.execPath, ['--conditions=quire-source', join(root, 'console/api-types.ts'), made])
  assert.equal(await tidied(await readFile(made, 'utf8')), await readFile(join(root, types), 'utf8'))
})
