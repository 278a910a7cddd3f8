import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { DatabasePlace } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { startTraceCollector } from '../support/trace-collector.ts'

/** Notes whatever a program loads of the packages, by import and by require. */
const watching = `
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(name, context, next) {
      if (name.includes('opentelemetry')) appendFileSync(process.env.LOADED_PACKAGES, name + '\\n')
      return next(name, context)
    },
  })`

async function packagesLoadedBy(place: DatabasePlace, flags: readonly string[]): Promise<readonly string[]> {
  const [file, script] = [join(place.folder, 'loaded.txt'), join(place.folder, 'watching.mjs')]
  await writeFile(file, '')
  await writeFile(script, watching)
  const variables = { NODE_OPTIONS: `--import=file://${script}`, LOADED_PACKAGES: file }
  const program = await startServerProgram(place, flags, variables)
  const answer = await fetch(new URL('health/ready', program.url))
  assert.equal(answer.status, 200)
  assert.equal(await stopProgram(program), 0)
  return (await readFile(file, 'utf8')).split('\n').filter((name) => name.startsWith('@opentelemetry/'))
}

describe('packages for traces', () => {
  test('are loaded by a server that is told where to send them, and not one of them by any other', async () => {
    const place = await filledPlace('sqlite')
    assert.deepEqual(await packagesLoadedBy(place, []), [])
    const collector = await startTraceCollector()
    try {
      assert.ok((await packagesLoadedBy(place, ['--trace-url', collector.url])).includes('@opentelemetry/api'))
    } finally {
      await collector.stop()
    }
  })
})
