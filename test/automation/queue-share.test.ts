import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { asynchronousKind } from '../../src/automation/asynchronous-kind.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer(
  'the background',
  (server) => {
    before(async () => {
      for (const name of ['greedy', 'modest']) await server.addUser(name, ['members'])
    })

    const linger = (user: string, millis: number) =>
      server.as(user).post('/automation/Flow.Linger/@async', { params: { millis } })

    test('takes so many asynchronous calls of one person, says so, and takes those of others', async () => {
      const answers = await Promise.all(Array.from({ length: 14 }, () => linger('greedy', 1_000)))
      assert.ok(answers.filter(({ status }) => status === 202).length >= 5)
      const refused = answers.find(({ status }) => status !== 202)
      assert.equal(refused?.status, 503)
      assert.match(refused.body.message, /greedy has 5 jobs waiting in the background.* Wait until some are done/)
      assert.equal((await linger('modest', 1)).status, 202)
    })

    test('runs the call of somebody while those of another still wait', async () => {
      const jobs = server.services.repositories.get('default')?.store.reader.jobs
      const countOf = async (user: string) => (await jobs?.countOf(user, [asynchronousKind])) ?? 0
      while ((await countOf('greedy')) > 0) await wait(20)
      for (let index = 0; index < 5; index++) assert.equal((await linger('greedy', 1_000)).status, 202)
      assert.equal((await linger('modest', 1)).status, 202)
      while ((await countOf('modest')) > 0) await wait(5)
      assert.ok((await countOf('greedy')) >= 3, 'only two of five run at once, and they take a second')
    })

    test('takes so many bulk actions of one person', async () => {
      const params = { action: 'setProperties', query: 'SELECT * FROM Note', parameters: '{"dc:source": "x"}' }
      const onList = { id: 'Bulk.RunAction', list: 'l', parameters: params }
      const { status, body } = await operationsOn(server, 'greedy')('RunOperationOnList', {
        params: onList,
        context: { l: [1, 2, 3, 4, 5, 6] },
      })
      assert.equal(status, 503)
      assert.match(body.message, /5 jobs waiting/)
    })
  },
  { plugins: [flowPlugin()], settings: { backgroundMaxWaiting: 5 } },
)
