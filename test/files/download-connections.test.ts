import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ReadStream } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Properties } from '../../src/model/properties/property.ts'
import type { TestServer } from '../../src/testing.ts'
import { until } from '../support/event-recorder.ts'
import { attach, basic, blobsOf, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const authorization = basic('Administrator')

/** Every stream that is opened on a blob from now on. */
function watchStreams(server: TestServer): ReadStream[] {
  const blobs = blobsOf(server)
  const opened: ReadStream[] = []
  const { read } = blobs
  const watched: typeof read = async (key, range) => {
    const stream = await read.call(blobs, key, range)
    opened.push(stream as ReadStream)
    return stream
  }
  Object.assign(blobs, { read: watched })
  return opened
}

onEachServer('downloads over one connection', (server) => {
  const bench = workbenchOn(server)

  async function aFile(bytes: Uint8Array | string): Promise<{ uid: string; url: URL; digest: string }> {
    const { uid } = await bench.create('File')
    const { digest } = await attach(server, uid, bytes)
    return { uid, url: new URL(`nxfile/default/${uid}/file:content`, server.url), digest }
  }

  test('leave it fit for the next request, whatever was answered', async () => {
    const bytes = randomBytes(300_000)
    const { url, digest } = await aFile(bytes)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    const ask = (method: string, headers: { [name: string]: string }) =>
      new Promise<{ status: number | undefined; bytes: Buffer }>((resolve, reject) => {
        const sent = request(url, { method, agent, headers: { authorization, ...headers } }, async (answer) => {
          ports.add(answer.socket.localPort)
          resolve({ status: answer.statusCode, bytes: await buffer(answer) })
        })
        sent.on('error', reject)
        sent.end()
      })
    const rows: [method: string, headers: { [name: string]: string }, status: number, length: number][] = [
      ['GET', {}, 200, 300_000],
      ['HEAD', {}, 200, 0],
      ['GET', { 'if-none-match': `"${digest}"` }, 304, 0],
      ['HEAD', { 'if-none-match': `"${digest}"` }, 304, 0],
      ['GET', { range: 'bytes=10-19' }, 206, 10],
      ['HEAD', { range: 'bytes=10-19' }, 206, 0],
      ['GET', { range: 'bytes=900000-' }, 416, -1],
      ['HEAD', { range: 'bytes=900000-' }, 416, 0],
      ['GET', { 'if-match': '"other"' }, 412, -1],
      ['POST', {}, 405, -1],
      ['GET', { range: 'bytes=-1' }, 206, 1],
      ['GET', {}, 200, 300_000],
    ]
    for (const [method, headers, status, length] of [...rows, ...rows]) {
      const answer = await ask(method, headers)
      assert.equal(answer.status, status, `${method} ${JSON.stringify(headers)}`)
      if (length >= 0) assert.equal(answer.bytes.length, length)
    }
    agent.destroy()
    assert.equal(ports.size, 1)
  })

  test('that the client gives up close the file', async () => {
    const { url } = await aFile(randomBytes(30_000_000))
    const opened = watchStreams(server)
    for (let times = 0; times < 5; times++) {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { headers: { authorization }, agent: false }, resolve).on('error', reject)
      })
      await new Promise((resolve) => answer.once('data', resolve))
      answer.destroy()
    }
    await until(() => opened.length === 5 && opened.every(({ closed }) => closed))
  })

  test('that the client gives up before the answer close the file', async () => {
    const { url } = await aFile(randomBytes(3_000_000))
    const opened = watchStreams(server)
    for (let times = 0; times < 10; times++) {
      const sent = get(url, { headers: { authorization }, agent: false })
      sent.on('error', () => undefined)
      await new Promise((resolve) => sent.once('finish', resolve))
      await wait(times)
      sent.destroy()
    }
    await wait(100)
    await until(() => opened.every(({ closed }) => closed))
  })

  test('open no file for what needs no bytes, but for a look whether it is there, and close all', async () => {
    const { url, digest } = await aFile(randomBytes(500_000))
    const opened = watchStreams(server)
    const path = url.href.slice(server.url.length)
    await download(server, path, { headers: { 'if-none-match': `"${digest}"` } })
    await download(server, path, { headers: { range: 'bytes=900000-' } })
    assert.equal(opened.length, 0)
    await download(server, path, { method: 'HEAD' })
    assert.equal(opened.length, 1)
    await download(server, path)
    await download(server, path, { headers: { range: 'bytes=5-9' } })
    assert.equal(opened.length, 3)
    await until(() => opened.every(({ closed }) => closed))
  })

  test('read no more of the file than the client takes', async () => {
    const { url } = await aFile(Buffer.alloc(60_000_000))
    const opened = watchStreams(server)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { authorization }, agent: false }, resolve).on('error', reject)
    })
    answer.pause()
    await wait(500)
    const [stream] = opened
    assert.ok(stream !== undefined && stream.bytesRead < 20_000_000, `${stream?.bytesRead}`)
    assert.equal((await buffer(answer)).length, 60_000_000)
  })

  async function withLength(length: number): Promise<URL> {
    const { uid, url } = await aFile('0123456789')
    const properties: Properties = (await server.asSystem(({ tx }) => tx.documents.find(uid)))?.properties ?? {}
    await bench.change(uid, {
      properties: { ...properties, 'file:content': { ...(properties['file:content'] as object), length } },
    })
    return url
  }

  test('of a file that is shorter than it should be break off instead of keeping the client waiting', async () => {
    const url = await withLength(15)
    await assert.rejects(
      async () => (await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(30_000) })).arrayBuffer(),
      ({ name }: Error) => name !== 'TimeoutError',
    )
  })

  test('of a file that is longer than it should be spoil no answer but their own', async () => {
    const url = await withLength(5)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { url: sound } = await aFile('sound')
    for (const [place, text] of [
      [url, '01234'],
      [sound, 'sound'],
    ] as const) {
      const bytes = await new Promise<Buffer>((resolve, reject) => {
        get(place, { headers: { authorization }, agent }, (answer) => resolve(buffer(answer))).on('error', reject)
      })
      assert.equal(String(bytes), text)
    }
    agent.destroy()
  })

  test('run side by side', async () => {
    const bytes = randomBytes(2_000_000)
    const { url } = await aFile(bytes)
    const path = url.href.slice(server.url.length)
    const answers = await Promise.all(Array.from({ length: 20 }, () => download(server, path)))
    assert.ok(answers.every((answer) => answer.bytes.equals(bytes)))
  })
})
