import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const module = pathToFileURL(`${import.meta.dirname}/process-environment.ts`).href
const length = 1_000_000
const program = `
  import { endProcess, processEnvironment } from ${JSON.stringify(module)}
  processEnvironment.print('x'.repeat(${length}))
  await endProcess(0)`

function start() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] })
  return { stdout: child.stdout, stderr: child.stderr, ended: once(child, 'exit') }
}

describe('a command that prints more than a pipe takes at once', () => {
  test('ends when all of it was read, however slowly', async () => {
    const { stdout, ended } = start()
    await pause(300)
    let taken = 0
    for await (const chunk of stdout) taken += chunk.length
    assert.equal(taken, length + 1)
    assert.deepEqual((await ended)[0], 0)
  })
  test('ends quietly when the reader has seen enough', async () => {
    const { stdout, stderr, ended } = start()
    const complaints: Buffer[] = []
    stderr.on('data', (chunk) => complaints.push(chunk))
    await once(stdout, 'readable')
    stdout.destroy()
    assert.deepEqual((await ended)[0], 0)
    assert.equal(Buffer.concat(complaints).toString(), '')
  })
})
