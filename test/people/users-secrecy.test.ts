import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Log, LogFields } from '../../src/base/log.ts'
import { userDirectory } from '../../src/core/directories/people.ts'
import { aChange, aUser, callWith } from '../support/accounts.ts'
import { createServerEventRecorder } from '../support/server-event-recorder.ts'
import { onEachServer } from '../support/servers.ts'

const secret = 'Correct-Horse-Battery'
const next = 'Staple-Staple-Staple'
const logged: string[] = []
const keep = (fields: LogFields, sentence: string) => void logged.push(`${sentence} ${written(fields)}`)
const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
const recorder = createServerEventRecorder()

/** Errors with all they carry. */
function written(fields: LogFields): string {
  return JSON.stringify(fields, (_, value) =>
    value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value,
  )
}

onEachServer(
  'a password',
  (server) => {
    const administrator = () => server.as('Administrator')
    const answers: string[] = []
    let hash = ''

    /** Calls, and keeps what was answered. */
    async function told(answer: Promise<{ status: number; text: string; headers: Headers }>): Promise<number> {
      const { status, text, headers } = await answer
      answers.push(text, JSON.stringify([...headers]))
      return status
    }

    before(async () => {
      assert.equal(await told(administrator().post('/user', aUser('ann', { password: secret, lastName: 'Hidden' }))), 201)
      hash = String(
        await server.asSystem(async ({ tx }) => (await tx.directories.find(userDirectory, 'ann'))?.values['password']),
      )
      assert.match(hash, /^\{ARGON2ID\}/)
    })

    test('never leaves, neither itself nor its hash, wherever users are shown', async () => {
      const paths = [
        '/user/ann',
        '/user/search?q=ann',
        '/user?q=*',
        '/user/ann?enrichers.user=userprofile&properties=*',
        '/directory/userDirectory',
        '/directory/userDirectory/ann',
        '/directory/userDirectory?pageSize=0',
        '/directory/userDirectory/ann?fetch.directoryEntry=password&properties=*',
        '/group/members/@users',
        '/search?query=SELECT * FROM Document WHERE user:password IS NOT NULL',
        '/search?query=SELECT user:password FROM Document',
        `/search?query=SELECT * FROM Document WHERE ecm:fulltext = '${secret}'`,
        '/config/schemas/user',
      ]
      for (const path of paths) await told(administrator().get(path))
      await told(callWith(server, 'ann', secret, 'GET', '/me'))
      await told(callWith(server, 'ann', secret, 'POST', '/automation/login'))
      const found = answers.filter((text) => text.includes('Hidden'))
      assert.ok(found.length >= 6, 'users were shown')
    })

    test('never leaves through a directory that can be searched by it', async () => {
      for (const term of [secret, hash, '{ARGON2ID}']) {
        const path = `/user/search?q=${encodeURIComponent(term)}`
        assert.equal((await administrator().get(path)).body.resultsCount, 0)
        await told(administrator().get(`/directory/userDirectory?q=${encodeURIComponent(term)}`))
        await told(administrator().get(`/directory/userDirectory?password=${encodeURIComponent(term)}&sortBy=password`))
      }
    })

    test('never leaves in what is refused, whatever is wrong beside it', async () => {
      const bodies = [
        aUser('ann', { password: secret }),
        aUser('', { password: secret }),
        aUser('new', { password: secret, groups: ['nosuch'] }),
        aUser('new', { password: secret, nosuch: 1 }),
        aUser('new', { password: [secret] }),
        aUser('new', { password: { value: secret } }),
        { 'entity-type': 'group', properties: { password: secret } },
      ]
      for (const body of bodies) assert.ok((await told(administrator().post('/user', body))) >= 400)
      assert.ok((await told(server.as('ann').put('/user/ann', aChange({ password: secret })))) >= 400)
      assert.ok((await told(administrator().put('/directory/userDirectory/ann', { 'entity-type': 'directoryEntry' }))) >= 400)
      const change = { oldPassword: secret, newPassword: '' }
      assert.equal(await told(callWith(server, 'ann', secret, 'PUT', '/me/changepassword', change)), 400)
    })

    test('never leaves when the server itself fails', async () => {
      recorder.failOn('user_created')
      assert.equal(await told(administrator().post('/user', aUser('new', { password: secret }))), 500)
      recorder.failOn('user_modified')
      assert.equal(await told(administrator().put('/user/ann', aChange({ password: secret }))), 500)
      recorder.failOn('user_modified')
      const change = { oldPassword: secret, newPassword: next }
      assert.equal(await told(callWith(server, 'ann', secret, 'PUT', '/me/changepassword', change)), 500)
    })

    test('is told to nobody who hears of the change', async () => {
      await told(administrator().put('/user/ann', aChange({ password: next })))
      const heard = JSON.stringify(recorder.events.map(({ properties, comment }) => ({ properties, comment })))
      assert.ok(heard.includes('ann'))
      for (const hidden of [secret, next, '{ARGON2ID}']) assert.ok(!heard.includes(hidden))
    })

    test('is in none of the answers and in no line of the log', () => {
      assert.ok(logged.length > 20)
      for (const text of [...answers, ...logged]) {
        for (const hidden of [secret, next, hash, '{ARGON2ID}']) assert.ok(!text.includes(hidden), text.slice(0, 500))
      }
    })
  },
  { log, plugins: [recorder.plugin], settings: { restStackEnable: true } },
)
