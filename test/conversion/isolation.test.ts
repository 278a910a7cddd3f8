import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { definePlugin } from '../../src/index.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { attach, download } from '../support/files.ts'
import { workbenchOn } from '../support/workbench.ts'

const module = new URL('../support/conversion/misbehaving-converter.ts', import.meta.url)
const deeds = { sources: ['text/plain'], destinations: ['application/x-deed'] }

const misbehaving = definePlugin({
  name: 'misbehaving',
  converters: [
    { name: 'misbehave', ...deeds, ways: [{ module, patience: 30 }] },
    { name: 'hang', ...deeds, ways: [{ module }] },
  ],
})

const hanging = new Set(['hang', 'orphan'])

const leftFolders = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`quire-conversion-${process.pid}-`)).length

describe('a conversion', () => {
  let server: TestServer
  let uid: string
  before(async () => {
    server = await startTestServer({
      plugins: [misbehaving],
      settings: { conversionTimeout: '2s', conversionMemory: '300MB', conversionMaxOutput: '20MB', conversionProcesses: 2 },
    })
    const file = await workbenchOn(server).create('File', { 'dc:title': 'file' })
    uid = file.uid
    await attach(server, uid, 'a text', { name: 'a.txt', 'mime-type': 'text/plain' })
  })
  after(async () => {
    await server.stop()
    assert.equal(await leftFolders(), 0, 'no folder is left when the server has stopped')
  })

  async function deed(name: string, parameters: { readonly [name: string]: string } = {}) {
    const query = new URLSearchParams({ converter: hanging.has(name) ? 'hang' : 'misbehave', deed: name, ...parameters })
    const answer = await download(server, `api/v1/id/${uid}/@convert?${query}`)
    const message = answer.headers.get('content-type')?.includes('json') ? JSON.parse(answer.text).message : answer.text
    return { status: answer.status, message: String(message) }
  }

  test('that never ends is ended at its limit, and told as such', async () => {
    const { status, message } = await deed('hang')
    assert.equal(status, 500)
    assert.match(message, /took longer than 2 s/)
  })

  test('that took too long is tried once more where nobody waits for it', async () => {
    const until = String(Date.now() + 1_500)
    const query = new URLSearchParams({ converter: 'hang', deed: 'hangFirst', until, async: 'true' })
    const scheduled = await download(server, `api/v1/id/${uid}/@convert?${query}`, { method: 'POST' })
    const { pollingURL, resultURL } = JSON.parse(scheduled.text)
    let status = ''
    while (status === '' || status === 'scheduled' || status === 'running') {
      await pause(50)
      status = JSON.parse((await download(server, pollingURL)).text).status
    }
    assert.equal((await download(server, resultURL)).text, 'done')
  })

  test('that eats memory outside of the heap is refused', async () => {
    const { status, message } = await deed('eat')
    assert.deepEqual([status, /more memory/.test(message)], [413, true], message)
  })

  test('that eats the heap is refused', async () => {
    const { status, message } = await deed('heap')
    assert.deepEqual([status, /more memory/.test(message)], [413, true], message)
  })

  test('that makes too much is refused', async () => {
    const { status, message } = await deed('flood')
    assert.deepEqual([status, /larger than results/.test(message)], [413, true], message)
  })

  test('takes the programs with it that it has started', { timeout: 60_000 }, async () => {
    const seconds = '607.25'
    await deed('orphan', { seconds })
    // On a busy machine one that was killed takes a moment to be gone.
    while ((await processesWith(seconds)).length > 0) await pause(20)
  })

  test('that breaks down says so, and the next one is as good as ever', async () => {
    assert.deepEqual((await deed('crash')).status, 500)
    assert.deepEqual(await deed('sleep'), { status: 200, message: 'slept' })
  })

  test('that throws tells nothing of the server', async () => {
    const { status, message } = await deed('fail')
    assert.equal(status, 500)
    assert.doesNotMatch(message, /secret/)
  })

  test('that refuses a file says why', async () => {
    const { status, message } = await deed('refuse')
    assert.deepEqual([status, message], [422, 'The file could not be converted by misbehave. It is written in invisible ink.'])
  })

  test('that gives nothing is not found', async () => assert.equal((await deed('nothing')).status, 404))

  test('reaches no network', async () => {
    const listening = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = listening.address() as { port: number }
      assert.equal((await deed('connect', { port: String(port) })).message, 'ERR_ACCESS_DENIED')
    } finally {
      listening.close()
    }
  })

  test('writes to its own folder alone', async () => {
    assert.equal((await deed('write', { path: join(tmpdir(), `not-yours-${process.pid}`) })).message, 'ERR_ACCESS_DENIED')
  })

  test('knows nothing of the environment of its server', async () => {
    process.env['QUIRE_TEST_SECRET'] = 'a secret of the server'
    assert.doesNotMatch((await deed('environment')).message, /secret of the server/)
  })

  test('is asked for again without being done again', async () => {
    const first = await deed('processId', { once: 'kept' })
    assert.deepEqual(await deed('processId', { once: 'kept' }), first)
  })

  test('runs in a process that served others, and has a folder of its own', async () => {
    const [first, second] = [await deed('where', { n: '1' }), await deed('where', { n: '2' })]
    assert.notEqual(first.message, second.message)
    // Nobody waits for that, so it may take a while.
    while (await isThere(first.message)) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  test('waits while as many run as may, and all come to their end', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => deed('sleep', { seconds: '0.01', n: String(n) })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  })

  test('of a client that goes is given up', async () => {
    const seconds = '603.25'
    const aborting = new AbortController()
    const query = new URLSearchParams({ converter: 'misbehave', deed: 'sleep', seconds })
    const asked = fetch(new URL(`api/v1/id/${uid}/@convert?${query}`, server.url), {
      headers: { authorization: `Basic ${btoa('Administrator:Administrator')}` },
      signal: aborting.signal,
    })
    while ((await processesWith(seconds)).length === 0) await pause(20)
    aborting.abort()
    await assert.rejects(asked)
    while ((await processesWith(seconds)).length > 0) await pause(20)
  })
})

describe('a conversion that takes the processor only while nobody else wants it', () => {
  const skip = process.platform !== 'linux' || spawnSync('chrt', ['--version']).error !== undefined
  test('is one that Linux calls idle, from its start', { skip: skip && 'there is no chrt' }, async () => {
    const server = await startTestServer({ plugins: [misbehaving], settings: { conversionPriority: 20 } })
    try {
      const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'file' })
      await attach(server, uid, 'a text', { name: 'a.txt', 'mime-type': 'text/plain' })
      const { text } = await download(server, `api/v1/id/${uid}/@convert?converter=misbehave&deed=processId`)
      for (const thread of await readdir(`/proc/${text}/task`)) {
        const about = await readFile(`/proc/${text}/task/${thread}/stat`, 'utf8')
        assert.equal(about.slice(about.lastIndexOf(')') + 2).split(' ')[38], idleClass)
      }
    } finally {
      await server.stop()
    }
  })
})

const idleClass = '5'

const isThere = (folder: string) =>
  readdir(folder).then(
    () => true,
    () => false,
  )

/** The programs that were started with that word. */
async function processesWith(word: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.startsWith('sleep') && line.includes(word))
}
