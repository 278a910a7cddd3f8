import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { filledDatabase } from '../support/filled-database.ts'

const worth = 10

async function limitedServer(settings: object, body: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startTestServer({ settings: { ...(await filledDatabase('sqlite')), ...settings } })
  try {
    await body(server)
  } finally {
    await server.stop()
  }
}

describe('requests beyond the limit', () => {
  test('of a user are refused with the time to wait, and nobody else’s are', async () => {
    await limitedServer({ userRateLimit: 1 }, async (server) => {
      await server.addUser('alice')
      await server.addUser('bob')
      const me = (user: string) => server.as(user).get('/me')
      const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await me('alice')).status))
      assert.ok(statuses.filter((status) => status === 200).length >= worth)
      assert.ok(statuses.filter((status) => status === 429).length >= worth)
      const refused = await me('alice')
      assert.equal(refused.status, 429)
      assert.match(String(refused.headers.get('retry-after')), /^[1-9]\d*$/)
      assert.match(refused.body.message, /^You may make 1 requests a second on average\. Try again in \d+ seconds/)
      assert.equal((await me('bob')).status, 200)
    })
  })

  test('of an address are refused before its password is looked at; the health is told nevertheless', async () => {
    await limitedServer({ addressRateLimit: 1, trustedProxies: ['127.0.0.0/8'] }, async (server) => {
      const ask = (path: string, address: string, authorization = '') =>
        fetch(`${server.url}${path}`, { headers: { 'x-forwarded-for': address, authorization } })
      const from = '2001:db8::'
      for (let number = 0; number < 40; number++) await (await ask('api/v1/me', `${from}${number}`)).text()
      const basic = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
      const { status, headers } = await ask('api/v1/me', `${from}99`, basic)
      assert.deepEqual([status, headers.has('retry-after'), headers.has('www-authenticate')], [429, true, false])
      assert.equal((await ask('api/v1/me', '203.0.113.9', basic)).status, 200)
      assert.equal((await ask('health/ready', `${from}99`)).status, 200)
    })
  })
})
