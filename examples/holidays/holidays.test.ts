import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from 'quire/testing'
import holidays from './holidays.ts'

describe('holidays', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ plugins: [holidays] })
    await server.addUser('ann', ['members'])
    await server.addUser('boss', ['members'])
  })
  after(() => server.stop())

  const taskOf = async (user: string) => (await server.as(user).get(`/task?userId=${user}`)).body.entries[0]
  const complete = async (user: string, action: string, variables: object = {}) => {
    const { id } = await taskOf(user)
    return server.as(user).put(`/task/${id}/${action}`, { 'entity-type': 'task', variables })
  }

  test('are asked for, refused, asked for again and granted', async () => {
    const body = { 'entity-type': 'workflow', workflowModelName: 'Holidays' }
    const { id } = (await server.as('ann').post('/workflow', body)).body
    const wanted = { manager: 'boss', from: '2031-07-01', until: '2031-07-14' }
    assert.equal((await complete('ann', 'ask', wanted)).status, 200)
    assert.equal((await taskOf('boss')).variables.until, '2031-07-14T00:00:00.000Z')
    assert.equal((await complete('boss', 'refuse')).status, 200)
    assert.equal((await complete('ann', 'ask', { until: '2031-07-07' })).status, 200)
    assert.equal((await complete('boss', 'grant')).status, 200)
    const { state, variables } = (await server.as('ann').get(`/workflow/${id}`)).body
    assert.deepEqual([state, variables.isGranted], ['done', true])
  })
})
