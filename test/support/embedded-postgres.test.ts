import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const starting = JSON.stringify(new URL('embedded-postgres.ts', import.meta.url))
const program = `import { startEmbeddedPostgres } from ${starting}
  console.log((await startEmbeddedPostgres()).url)
  setInterval(() => {}, 1000)`

test('the server ends with the process that started it, even when that is killed', async () => {
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { value: url = '' } = await createInterface(starter.stdout)[Symbol.asyncIterator]().next()
  assert.equal(await answers(url), true)
  starter.kill('SIGKILL')
  await once(starter, 'exit')
  for (let attempt = 0; attempt < 100 && (await answers(url)); attempt++) await pause(50)
  assert.equal(await answers(url), false)
})

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // a server that stops under an open connection says so here
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
