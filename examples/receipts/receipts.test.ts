import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer, type TestServer } from 'quire/testing'
import receipts from './receipts.ts'

describe('receipts', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ plugins: [receipts], settings: { receiptPrefix: 'B' } })
  })
  after(() => server.stop())

  const year = new Date().getUTCFullYear()
  const create = (name: string, properties: object = {}) =>
    server
      .as('Administrator')
      .post(
        '/path/default-domain/workspaces',
        { 'entity-type': 'document', type: 'Receipt', name, properties },
        { properties: 'receipt' },
      )

  test('are numbered one after the other, however many come at once, with the prefix that was set', async () => {
    const created = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(name)))
    const numbers = created.map(({ body }) => body.properties['rec:number'])
    assert.deepEqual(
      numbers.toSorted(),
      [1, 2, 3, 4].map((number) => `B${year}-${number}`),
    )
  })

  test('that are refused leave no gap', async () => {
    const last = (await create('e')).body.properties['rec:number']
    assert.equal((await create('f', { 'rec:remark': 'x'.repeat(101) })).status, 400)
    const next = (await create('g')).body.properties['rec:number']
    assert.equal(Number(next.split('-')[1]), Number(last.split('-')[1]) + 1)
  })

  test('have their words counted in the background', async () => {
    const batch = (await server.as('Administrator').post('/upload')).body.batchId
    await server.as('Administrator').call('POST', `api/v1/upload/${batch}/0`, {
      headers: { 'content-type': 'application/octet-stream', 'x-file-name': 'lunch.txt', 'x-file-type': 'text/plain' },
      body: 'two coffees and a cake',
    })
    const { body } = await create('lunch', { 'file:content': { 'upload-batch': batch, 'upload-fileId': '0' } })
    const read = async () => (await server.as('Administrator').get(`/id/${body.uid}/@receipt`)).body
    for (let tries = 0; (await read()).words === 0 && tries < 100; tries++) await pause(50)
    assert.deepEqual(await read(), { number: body.properties['rec:number'], words: 5 })
  })

  test('take a remark', async () => {
    const { body } = await create('remarked')
    const answer = await server.as('Administrator').post('/automation/Receipts.Remark', { input: body.uid, params: {} })
    assert.equal(answer.status, 200)
    const read = await server.as('Administrator').get(`/id/${body.uid}`, { properties: 'receipt' })
    assert.equal(read.body.properties['rec:remark'], 'checked')
  })

  test('have a page that anybody may see', async () => {
    const page = await fetch(new URL('receipts', server.url))
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const style = await fetch(new URL('receipts/receipts.css', server.url))
    assert.match(style.headers.get('content-type') ?? '', /^text\/css/)
    const again = await fetch(style.url, { headers: { 'if-none-match': style.headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
  })
})
