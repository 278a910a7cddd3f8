import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { callOnce } from '../support/call-once.ts'
import { commandLineAt } from '../support/command-line.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

const arrangements = [
  { name: 'two workers of one server on SQLite', engine: 'sqlite', servers: 1, workers: 2 },
  { name: 'two servers on one PostgreSQL', engine: 'postgres', servers: 2, workers: 1 },
] as const

/** So many requests after each change that every process answers some of them. */
const witnesses = 4

for (const { name, engine, servers, workers } of arrangements) {
  describe(`a token in ${name}`, () => {
    let place: DatabasePlace
    let programs: readonly Program[] = []
    let turn = 0

    before(async () => {
      place = await filledPlace(engine)
      const server = await startTestServer({ settings: place.settings })
      await server.addUser('ann', ['members'])
      await server.stop()
      const start = () => startServerProgram(place, ['--workers', String(workers)])
      programs = await Promise.all(Array.from({ length: servers }, start))
    })
    after(async () => {
      for (const program of programs) assert.equal(await stopProgram(program), 0)
    })

    const next = () => programs[turn++ % programs.length]?.url ?? ''
    const acquire = async () => {
      const { status, body } = await callOnce(next(), 'ann', 'POST', '/token?application=A&deviceId=d&permission=r')
      assert.equal(status, 201)
      return String(body)
    }
    /** Over a connection of its own, to whichever process is next. */
    const statusWith = (token: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'x-authentication-token': token }
        const sent = request(new URL('api/v1/me', next()), { agent: false, headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.once('error', reject)
        sent.end()
      })
    const everywhere = async (token: string) => {
      const seen = new Set<number | undefined>()
      for (let count = 0; count < witnesses; count += 1) seen.add(await statusWith(token))
      return [...seen]
    }

    test('is the same whichever process is asked, and refused by all at once when it is revoked', async () => {
      for (let round = 0; round < 3; round += 1) {
        const tokens = await Promise.all(Array.from({ length: witnesses }, acquire))
        assert.equal(new Set(tokens).size, 1)
        const [token = ''] = tokens
        assert.deepEqual(await everywhere(token), [200])
        assert.equal((await callOnce(next(), 'ann', 'DELETE', `/token/${token}`)).status, 204)
        assert.deepEqual(await everywhere(token), [401])
      }
    })

    test('is revoked from the command line as well', async () => {
      const token = await acquire()
      assert.deepEqual(await everywhere(token), [200])
      const outcome = await commandLineAt(place).run(['token', 'revoke', token])
      assert.deepEqual([outcome.code, outcome.printed], [0, '1 token was revoked.'])
      assert.deepEqual(await everywhere(token), [401])
    })
  })
}
