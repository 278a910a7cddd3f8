import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const items = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join()

/** What each door refuses, by the sentence that names the bound. */
const bounds = {
  values: /more than the 100000 values/,
  names: /more than the 5000 names allowed in one object/,
  depth: /nested deeper than 200 levels/,
  bytes: /larger than the 10000000 bytes/,
  list: /items, and at most 5000 are allowed/,
  characters: /characters, and at most 2000000 are allowed/,
  fields: /more than the 1000 fields/,
  listText: /more than the 1000000 characters/,
} as const

interface Greedy {
  readonly what: string
  readonly refusal: RegExp
  readonly status?: number
  send(server: TestServer, folder: string): Promise<ApiAnswer>
}

const create = (server: TestServer, folder: string, properties: string) =>
  server.as('ann').post(`/id/${folder}`, `{"entity-type":"document","type":"Note","name":"n","properties":{${properties}}}`)
const run = (server: TestServer, operation: string, call: string) => server.as('ann').post(`/automation/${operation}`, call)
const setSubjects = (server: TestServer, folder: string, value: string) =>
  run(server, 'Document.Update', `{"input":"doc:${folder}","params":{"properties":{"dc:subjects":${value}}}}`)

const greedy: readonly Greedy[] = [
  {
    what: 'a list of a million items',
    refusal: bounds.values,
    send: (server, folder) => create(server, folder, `"dc:subjects":[${'1,'.repeat(1_000_000)}1]`),
  },
  {
    what: 'a list of 5,001 items',
    refusal: bounds.list,
    send: (server, folder) => create(server, folder, `"dc:subjects":[${items(5_001, () => '"a"')}]`),
  },
  {
    what: 'a hundred thousand unknown properties',
    refusal: bounds.names,
    send: (server, folder) =>
      create(
        server,
        folder,
        items(99_000, (index) => `"dc:u${index}":1`),
      ),
  },
  {
    what: 'nesting without an end',
    refusal: bounds.depth,
    status: 400,
    send: (server, folder) => create(server, folder, `"dc:subjects":${'['.repeat(1_000_000)}`),
  },
  {
    what: 'a body of 11 MB',
    refusal: bounds.bytes,
    send: (server, folder) => create(server, folder, `"note:note":"${'x'.repeat(11_000_000)}"`),
  },
  {
    what: 'a text of three million characters',
    refusal: bounds.characters,
    send: (server, folder) => create(server, folder, `"note:note":"${'x'.repeat(3_000_000)}"`),
  },
  {
    what: 'names in the parameters of an operation',
    refusal: bounds.names,
    send: (server, folder) =>
      run(server, 'Document.Update', `{"input":"doc:${folder}","params":{"properties":{${items(9_000, (i) => `"u${i}":1`)}}}}`),
  },
  {
    what: 'a list of JSON inside a text',
    refusal: bounds.values,
    send: (server, folder) => setSubjects(server, folder, JSON.stringify(`[${'1,'.repeat(500_000)}1]`)),
  },
  {
    what: 'a list between commas',
    refusal: bounds.values,
    send: (server, folder) => setSubjects(server, folder, JSON.stringify('a,'.repeat(200_000))),
  },
  {
    what: 'a long list between commas',
    refusal: bounds.listText,
    send: (server, folder) => setSubjects(server, folder, JSON.stringify('a,'.repeat(3_000_000))),
  },
  {
    what: 'lines of properties',
    refusal: bounds.names,
    send: (server, folder) =>
      run(
        server,
        'Document.Update',
        JSON.stringify({ input: `doc:${folder}`, params: { properties: items(9_000, (i) => `\nu${i}=1`).replaceAll(',', '') } }),
      ),
  },
  {
    what: 'a form of many fields',
    refusal: bounds.fields,
    send: (server) =>
      server.as('ann').call('POST', 'api/v1/automation/Document.Update', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b&'.repeat(1_000_000),
      }),
  },
  {
    what: 'a part of a multipart call',
    refusal: bounds.values,
    send: (server) => {
      const part = (type: string, content: string) => `--cut\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`
      return server.as('ann').call('POST', 'api/v1/automation/Blob.AttachOnDocument', {
        headers: { 'content-type': 'multipart/related; boundary=cut' },
        body: `${part('application/json', `{"params":{"x":[${'1,'.repeat(200_000)}1]}}`)}${part('text/plain', 'x')}--cut--`,
      })
    },
  },
]

onEachServer('a request that asks for too much', (server) => {
  const bench = workbenchOn(server)
  let folder = ''
  before(async () => {
    await server.addUser('ann', ['members'])
    folder = (await bench.create('Folder')).uid
    const added = await server.as('Administrator').post(`/id/${folder}/@op/Document.AddPermission`, {
      params: { permission: 'Everything', username: 'ann' },
    })
    assert.ok(added.status < 300, added.text)
  })

  describe('is refused with the bound in the sentence:', () => {
    for (const { what, refusal, status = 413, send } of greedy) {
      test(what, async () => {
        const answer = await send(server, folder)
        assert.match(answer.text, refusal)
        assert.equal(answer.status, status)
      })
    }
  })

  test('leaves nothing behind', async () => {
    const { body } = await server.as('ann').get(`/id/${folder}/@children`)
    assert.equal(body.entries.length, 0)
  })

  test('is told of a hundred violations, and how many more there are', async () => {
    const { status, body } = await create(server, folder, `"dc:subjects":[${items(1_000, (index) => `"none-${index}"`)}]`)
    assert.equal(status, 400)
    assert.equal(body['entity-type'], 'validation_report')
    assert.deepEqual([body.number, body.violations.length, body.message], [1_000, 100, 'and 900 more'])
  })

  test('cannot grow a document beyond its bound by several changes', async () => {
    const created = await create(server, folder, `"note:note":"${'x'.repeat(1_900_000)}"`)
    assert.equal(created.status, 201)
    const change = (properties: string) =>
      server.as('ann').put(`/id/${created.body.uid}`, `{"entity-type":"document","properties":{${properties}}}`)
    assert.equal((await change(`"dc:rights":"${'x'.repeat(1_900_000)}"`)).status, 200)
    const refused = await change(`"dc:source":"${'x'.repeat(1_900_000)}"`)
    assert.equal(refused.status, 413)
    assert.match(refused.text, /5700\d+ characters together, and at most 5000000 are allowed/)
    await server.as('ann').delete(`/id/${created.body.uid}`)
  })

  test('does not hold up a request that asks for little', async () => {
    const sent = Promise.all(greedy.slice(0, 4).map(({ send }) => send(server, folder)))
    const { status } = await server.as('ann').get(`/id/${folder}`)
    assert.equal(status, 200)
    await sent
  })
})
