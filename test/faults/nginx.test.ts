import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { basicHeader, openEventStream } from '../support/event-stream.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { hasNginx, type Nginx, startNginx } from '../support/nginx.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram } from '../support/server-programs.ts'

const skip = hasNginx() ? false : 'nginx is not installed'

describe('two servers behind nginx, as it comes configured', { skip, timeout: 120_000 }, () => {
  let servers: readonly [Program, Program]
  let proxy: Nginx

  const ask = (method: string, path: string, body?: RequestInit['body'], headers: Readonly<Record<string, string>> = {}) =>
    fetch(new URL(path, proxy.url), {
      method,
      ...(body !== undefined && { body }),
      headers: { ...basicHeader('Administrator'), ...headers },
    })

  async function askJson(method: string, path: string, body?: object) {
    const answer = await ask(method, path, body && JSON.stringify(body), { 'content-type': 'application/json', properties: '*' })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return JSON.parse(await answer.text())
  }

  const file = (name: string, properties: object = {}) => ({ 'entity-type': 'document', type: 'File', name, properties })

  before(async () => {
    const place = await freshPlace('postgres')
    servers = await Promise.all([startServerProgram(place), startServerProgram(place)])
    proxy = await startNginx([servers[0].url, servers[1].url])
  })
  after(async () => {
    await proxy?.stop()
    for (const server of servers ?? []) {
      server.kill('SIGKILL')
      await server.ended
    }
  })

  test('take a file larger than what a proxy allows by itself, and give it back by a link that leads through it', async () => {
    const bytes = randomBytes(20_000_000)
    const { batchId } = await askJson('POST', 'api/v1/upload')
    assert.equal((await ask('POST', `api/v1/upload/${batchId}/0`, bytes)).status, 201)
    const content = { 'upload-batch': batchId, 'upload-fileId': '0' }
    const document = await askJson('POST', 'api/v1/path/', file('large', { 'file:content': content }))
    const { data, digest } = document.properties['file:content']
    assert.ok(data.startsWith(proxy.url), data)
    assert.equal(digest, createHash('md5').update(bytes).digest('hex'))
    const found = Buffer.from(await (await ask('GET', data)).arrayBuffer())
    assert.ok(found.equals(bytes))
  })

  test('tell of what happens as it happens', async () => {
    const stream = await openEventStream(proxy.url, basicHeader('Administrator'))
    const { uid } = await askJson('POST', 'api/v1/path/', file('told'))
    const started = performance.now()
    await stream.until(({ data }) => JSON.stringify(data).includes(uid))
    assert.ok(performance.now() - started < 5_000)
    stream.close()
  })

  test('answer every request for a document while one of them is killed', async () => {
    const { uid } = await askJson('POST', 'api/v1/path/', file('asked-for'))
    const statuses: number[] = []
    const reader = async () => {
      for (let count = 0; count < 50; count += 1) statuses.push((await ask('GET', `api/v1/id/${uid}`)).status)
    }
    const reading = Promise.all(Array.from({ length: 4 }, reader))
    servers[0].kill('SIGKILL')
    await servers[0].ended
    await reading
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    )
    const renamed = await askJson('PUT', `api/v1/id/${uid}`, { 'entity-type': 'document', properties: { 'dc:title': 'Renamed' } })
    assert.equal(renamed.title, 'Renamed')
  })
})
