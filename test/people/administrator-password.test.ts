import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'
import { runProgram } from '../support/program.ts'
import { withSlowPasswords } from '../support/quick-passwords.ts'
import { quireProgram } from '../support/quire-program.ts'
import { startServerProgram } from '../support/server-programs.ts'

for (const engine of engines) {
  describe(`the password of the administrator, at one start after another (${engine})`, () => {
    let place: DatabasePlace
    before(async () => {
      place = await freshPlace(engine)
    })

    /** What is printed about who may sign in. */
    async function printedAtStart(flags: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) {
      const server = await startServerProgram(place, flags, variables)
      server.kill('SIGTERM')
      const { code, printed } = await server.ended
      assert.equal(code, 0)
      return printed.split('\n')[1]
    }
    async function refusalToListen(): Promise<string> {
      const flags = ['--port', '0', '--host', '0.0.0.0', '--log-level', 'warn', ...place.flags]
      const { code, printed, complained } = await runProgram(quireProgram, ['serve', ...flags])
      assert.deepEqual([code, printed], [1, ''])
      return complained
    }
    const setPassword = async (secret: string) => {
      const { code, complained } = await withSlowPasswords(() =>
        commandLineAt(place).run(['user', 'password', 'Administrator'], { secret }),
      )
      assert.equal(code, 0, complained)
    }

    test('1 is the default one of a new server, which says so and how to change it', async () => {
      assert.equal(
        await printedAtStart(),
        'Sign in as Administrator with the password \'Administrator\': change it with "quire user password Administrator" before anyone else can reach this server',
      )
    })

    test('2 keeps the server from 0.0.0.0, with one line that says what to do', async () => {
      assert.match(
        await refusalToListen(),
        /^quire: refusing to listen on 0\.0\.0\.0, .* default password: set QUIRE_ADMIN_PASSWORD, change it with quire user password Administrator, or keep --host 127\.0\.0\.1\n$/,
      )
    })

    test('3 is the one in the settings where the default one was stored, also for others to reach', async () => {
      const variables = { QUIRE_ADMIN_PASSWORD: 'from the settings' }
      const expected = 'Sign in as Administrator with the password in QUIRE_ADMIN_PASSWORD'
      assert.equal(await printedAtStart(['--host', '0.0.0.0'], variables), expected)
      assert.equal(await printedAtStart([], variables), expected)
    })

    test('4 is the one that the command line set, whatever the settings say, also for others to reach', async () => {
      await setPassword('set by hand')
      const expected = 'Sign in as Administrator with the password that was chosen'
      assert.equal(await printedAtStart(['--host', '0.0.0.0']), expected)
      assert.equal(
        await printedAtStart([], { QUIRE_ADMIN_PASSWORD: 'from the settings' }),
        `${expected}; the one in QUIRE_ADMIN_PASSWORD is not used`,
      )
    })

    test('5 keeps the server from others again once the command line has set the default one', async () => {
      await setPassword('Administrator')
      assert.match(await refusalToListen(), /^quire: refusing to listen on 0\.0\.0\.0/)
    })

    test('6 is nobody’s once the user is gone', async () => {
      const quire = commandLineAt(place)
      assert.equal((await quire.run(['user', 'add', 'boss', '--groups', 'administrators'], { secret: 'boss' })).code, 0)
      assert.equal((await quire.run(['user', 'remove', 'Administrator'])).code, 0)
      assert.equal(
        await printedAtStart(['--host', '0.0.0.0']),
        'There is no user named Administrator; sign in as one of the others',
      )
    })
  })
}
