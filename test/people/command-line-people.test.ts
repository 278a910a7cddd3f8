import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace, freshPlace } from '../support/fresh-place.ts'
import { type Program, runProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

for (const engine of engines) {
  describe(`quire user and quire group as processes (${engine})`, () => {
    let place: DatabasePlace
    let server: Program
    before(async () => {
      place = await filledPlace(engine)
      server = await startServerProgram(place)
    })
    after(async () => {
      server.kill('SIGTERM')
      await server.ended
    })

    const quire = (args: readonly string[], input?: string, variables: Record<string, string> = {}) =>
      runProgram(quireProgram, [...args, ...place.flags], variables, input)
    const me = async (name: string, password: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
      const response = await fetch(new URL('api/v1/me', server.url), { headers: { authorization } })
      return { status: response.status, user: response.status === 200 ? await response.json() : undefined }
    }

    test('beside a running server, a user that was added signs in, is moved between groups, and is gone', async () => {
      const added = await quire(['user', 'add', 'ann', '--groups', 'members'], 'pa55word\n')
      assert.deepEqual(added, { code: 0, printed: 'User ann was added.\n', complained: '' })
      assert.equal((await me('ann', 'pa55word')).status, 200)

      assert.equal((await quire(['user', 'password', 'ann'], undefined, { QUIRE_USER_PASSWORD: 'another' })).code, 0)
      assert.equal((await me('ann', 'pa55word')).status, 401)
      assert.equal((await me('ann', 'another')).status, 200)

      assert.equal((await quire(['group', 'add-user', 'administrators', 'ann'])).code, 0)
      const { user } = await me('ann', 'another')
      assert.deepEqual((user as { isAdministrator: boolean }).isAdministrator, true)

      assert.equal((await quire(['user', 'remove', 'ann'])).code, 0)
      assert.equal((await me('ann', 'another')).status, 401)
    })

    test('what the server was asked to do meanwhile is there as well', async () => {
      const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
      const create = (name: string) =>
        fetch(new URL('api/v1/path/default-domain/workspaces', server.url), {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ 'entity-type': 'document', type: 'Workspace', name }),
        })
      const [first, second, ...answers] = await Promise.all([
        quire(['user', 'add', 'ben'], 'ben\n'),
        quire(['user', 'add', 'cem'], 'cem\n'),
        ...Array.from({ length: 20 }, (_, index) => create(`w${index}`)),
      ])
      assert.deepEqual([first.code, second.code], [0, 0])
      for (const answer of answers) assert.equal(answer.status, 201)
      assert.deepEqual([(await me('ben', 'ben')).status, (await me('cem', 'cem')).status], [200, 200])
    })

    test('of two processes that add the same user one is refused', async () => {
      const outcomes = await Promise.all([quire(['user', 'add', 'dee'], 'one\n'), quire(['user', 'add', 'dee'], 'two\n')])
      assert.deepEqual(outcomes.map(({ code }) => code).sort(), [0, 1])
      assert.match(outcomes.map(({ complained }) => complained).join(''), /^quire: User already exists\n$/)
    })

    test('a password that nobody gives is asked for in vain, in one line', async () => {
      const { code, printed, complained } = await quire(['user', 'add', 'eve'])
      assert.deepEqual([code, printed], [1, ''])
      assert.equal(complained, 'quire: no password was given: set QUIRE_USER_PASSWORD or write it to standard input\n')
    })

    test('the result is one line of JSON when that is wanted', async () => {
      const { printed } = await quire(['group', 'list', '--json'])
      assert.equal(printed.trim().split('\n').length, 1)
      assert.ok(JSON.parse(printed).some((group: { groupname: string }) => group.groupname === 'members'))
    })

    test('without a running server they do the same', async () => {
      assert.equal(await stopProgram(server), 0)
      assert.equal((await quire(['user', 'add', 'fay'], 'fay')).code, 0)
      assert.match((await quire(['user', 'list', 'fay'])).printed, /^fay/m)
      server = await startServerProgram(place)
      assert.equal((await me('fay', 'fay')).status, 200)
    })
  })

  describe(`quire user where no server has been (${engine})`, () => {
    test('says so in one line, and makes nothing', async () => {
      const place = await freshPlace(engine)
      const data = join(place.folder, 'typo')
      const flags = place.flags.map((flag) => (flag === place.folder ? data : flag))
      const { code, printed, complained } = await runProgram(quireProgram, ['user', 'list', ...flags])
      assert.deepEqual([code, printed], [1, ''])
      assert.match(complained, /^quire: No server has made a database in [^\n]+\n$/)
      assert.deepEqual(await readdir(place.folder), [])
    })
  })
}

describe('quire help', () => {
  const rows: readonly [args: readonly string[], expected: RegExp][] = [
    [['help'], /^ +user +look after users$.*^ +group +look after groups/ms],
    [['user'], /^ +user password +set the password of a user$/m],
    [['group', '--help'], /^ +group add-user +put users into a group$/m],
    [['user', 'add', '--help'], /^The password is read from QUIRE_USER_PASSWORD, else it is the first line of standard input/m],
    [['user', 'list', '-h'], /^ +--data <text> +Folder/m],
    [['help', 'group', 'members'], /^Usage: quire group members <group> \[--flag value …\]$/m],
  ]
  for (const [args, expected] of rows) {
    test(`answers quire ${args.join(' ')}`, async () => {
      const { code, printed, complained } = await runProgram(quireProgram, args)
      assert.deepEqual([code, complained], [0, ''])
      assert.match(printed, expected)
    })
  }
})
