import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IsoDate } from '../../src/base/iso-date.ts'
import { createDocument, defineOperation, definePlugin, required } from '../../src/index.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'

let hasWritten = Promise.withResolvers<void>()
let mayEnd = Promise.withResolvers<void>()

/** Writes in a transaction of its own, and then takes its time. */
const createAndLinger = defineOperation({
  id: 'Test.CreateAndLinger',
  category: 'Test',
  description: 'Makes a file, and ends when the test says so.',
  effect: 'waits',
  params: { name: required('string'), fails: required('boolean') },
  run: ({ on }) => [
    on('document', 'void', async (parent, { context, params: { name, fails } }) => {
      await context.write((session) => createDocument(session, { parent, type: 'File', name, properties: {} }))
      hasWritten.resolve()
      await mayEnd.promise
      assert.ok(!fails, 'it was to fail')
    }),
  ],
})

onEachServer(
  'an Idempotency-Key whose first request has written something and was not answered',
  (server) => {
    const call = (repository: string, key: string, sent: { name: string; fails?: boolean }) =>
      server
        .as('Administrator')
        .post(
          '/automation/Test.CreateAndLinger',
          { input: '/default-domain/workspaces', params: { fails: false, ...sent } },
          { 'Idempotency-Key': key, 'X-NXRepository': repository },
        )

    function begin(repository: string, key: string, sent: { name: string; fails?: boolean }): Promise<ApiAnswer> {
      hasWritten = Promise.withResolvers()
      mayEnd = Promise.withResolvers()
      return call(repository, key, sent)
    }

    /** Hours later: as if the process had died, and its key had been waiting. */
    async function letTimePass(): Promise<void> {
      const past: IsoDate = '2020-01-01T00:00:00.000Z'
      const future: IsoDate = '2090-01-01T00:00:00.000Z'
      for (const repository of ['default', 'other']) {
        await server.asSystem(async ({ tx: { transient } }) => {
          for (const { key, value } of await transient.list('idempotency:', past)) {
            const { done, runsUntil } = value as { done: object | null; runsUntil?: string }
            if (done !== null) continue
            if (runsUntil === undefined) await transient.remove(key)
            else await transient.set(key, { ...(value as object), runsUntil: past }, future)
          }
        }, repository)
      }
    }

    const countNamed = async (repository: string, name: string) => {
      const query = `SELECT * FROM File WHERE ecm:name LIKE '${name}%'`
      const { body } = await server
        .as('Administrator')
        .get(`/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`, { 'X-NXRepository': repository })
      return body.resultsCount
    }
    const told = ({ status, body }: ApiAnswer) => [status, /still running|cut off/.exec(body?.message)?.[0]]

    for (const repository of ['default', 'other']) {
      test(`is refused from then on, and nothing is written twice, in the repository ${repository}`, async () => {
        const sent = { name: `once-${repository}` }
        const first = begin(repository, `cut ${repository}`, sent)
        await hasWritten.promise
        assert.deepEqual(told(await call(repository, `cut ${repository}`, sent)), [409, 'still running'])
        await letTimePass()
        const late = await call(repository, `cut ${repository}`, sent)
        assert.deepEqual(told(late), [409, 'cut off'])
        assert.equal(late.headers.get('Idempotency-Key'), `cut ${repository}`)
        assert.equal(await countNamed(repository, sent.name), 1)
        mayEnd.resolve()
        assert.equal((await first).status, 204)
        assert.equal((await call(repository, `cut ${repository}`, sent)).status, 204)
        assert.equal(await countNamed(repository, sent.name), 1)
      })

      test(`is free again where it was told of a failure, in the repository ${repository}`, async () => {
        const sent = { name: `failing-${repository}`, fails: true }
        const first = begin(repository, `fail ${repository}`, sent)
        await hasWritten.promise
        mayEnd.resolve()
        assert.equal((await first).status, 500)
        assert.equal((await call(repository, `fail ${repository}`, { ...sent, fails: false })).status, 204)
        assert.equal(await countNamed(repository, sent.name), 2)
      })
    }
  },
  {
    settings: { repositories: ['default', 'other'] },
    plugins: [definePlugin({ name: 'unanswered', requires: ['content-model'], operations: [createAndLinger] })],
  },
)
