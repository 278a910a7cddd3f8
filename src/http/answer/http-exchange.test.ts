import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { aRoute, createMemoryStore, startTinyServer, type TinyServer } from '../../../test/support/tiny-server.ts'
import { json } from '../../rest/answer.ts'
import type { Store, TransactOptions } from '../../store/store.ts'

describe('a request that writes', () => {
  const asked: (TransactOptions | undefined)[] = []
  let server: TinyServer
  before(async () => {
    const memory = createMemoryStore()
    const store: Store = {
      ...memory,
      transact(body, options) {
        asked.push(options)
        return memory.transact(body, options)
      },
    }
    const write = aRoute('POST', '/write', (exchange) =>
      exchange.write(async ({ tx, principal }) => json({ hasTransaction: tx !== undefined, user: principal.name })),
    )
    server = await startTinyServer({ store, routes: [write], vendor: 'acme', settings: { transactionTimeoutSeconds: 300 } })
  })
  after(() => server.http.stop())

  const timeoutFor = async (headers: { [name: string]: string }) => {
    asked.length = 0
    const { json: body } = await server.send('POST', '/api/v1/write', { headers })
    assert.deepEqual(body, { hasTransaction: true, user: 'alice' })
    return asked[0]?.timeoutSeconds
  }

  test('has one transaction with the usual timeout', async () => {
    assert.equal(await timeoutFor({}), 300)
    assert.equal(asked.length, 1)
  })
  test('may ask for another timeout, by either name', async () => {
    assert.equal(await timeoutFor({ 'Acme-Transaction-Timeout': '12' }), 12)
    assert.equal(await timeoutFor({ 'Platform-Transaction-Timeout': '13' }), 13)
    assert.equal(await timeoutFor({ 'Other-Transaction-Timeout': '14' }), 14)
    assert.equal(await timeoutFor({ 'Other-Transaction-Timeout': '14', 'Acme-Transaction-Timeout': '12' }), 12)
  })
  for (const value of ['soon', '0', '-1', '1.5', '99999999999']) {
    test(`is warned about a timeout that is none: ${value}`, async () => {
      const before = server.logged.length
      assert.equal(await timeoutFor({ 'Platform-Transaction-Timeout': value }), 300)
      assert.ok(server.logged.slice(before).some(({ event, level }) => event === 'transaction.timeoutHeader' && level === 'warn'))
    })
  }
})
