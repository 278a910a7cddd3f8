import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer } from '../../src/testing.ts'
import { filledDatabase } from '../support/filled-database.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const burst = 10

test('two servers on one PostgreSQL hold a user to one limit', async () => {
  const settings = { ...(await filledDatabase('postgres')), userRateLimit: 1, rateLimitExchange: '100ms' }
  const servers = [await startTestServer({ settings }), await startTestServer({ settings })]
  try {
    for (const name of ['alice', 'bob']) await servers[0]?.addUser(name)
    const ask = async (server: number, user: string) => (await servers[server]?.as(user).get('/me'))?.status
    // Both have to do with somebody.
    for (const server of [0, 1]) assert.equal(await ask(server, 'bob'), 200)
    await pause(500)
    for (let request = 0; request < burst; request++) assert.equal(await ask(0, 'alice'), 200)
    const patience = AbortSignal.timeout(30_000)
    let answered = 0
    while ((await ask(1, 'alice')) === 200) {
      answered += 1
      await pause(50, undefined, { signal: patience })
    }
    assert.ok(answered <= burst / 2, `the other answered ${answered} more`)
    assert.equal(await ask(1, 'bob'), 200)
  } finally {
    for (const server of servers) await server.stop()
  }
})

test('two processes of one server hold an address to one limit', async () => {
  const place = await filledPlace('sqlite')
  const flags = ['--workers', '2', '--address-rate-limit', '2', '--rate-limit-exchange', '100ms']
  const program = await startServerProgram(place, flags)
  try {
    let answered = 0
    const since = performance.now()
    while (performance.now() - since < 3_000) {
      // A connection of its own each time, so that both processes are asked.
      const { status } = await fetch(new URL('api/v1/me', program.url), { headers: { connection: 'close' } })
      if (status !== 429) answered += 1
      await pause(10)
    }
    // Each may give its twenty at once before it hears of the other; of its own it would give six more in three seconds.
    assert.ok(answered <= 2 * 20, `${answered} were answered`)
    assert.ok(answered >= 20, `${answered} were answered`)
  } finally {
    await stopProgram(program)
  }
})
