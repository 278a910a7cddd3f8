import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'

for (const engine of engines) {
  describe(`quire user, beside a server (${engine})`, () => {
    let place: DatabasePlace
    let server: TestServer
    let quire: ReturnType<typeof commandLineAt>
    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
      quire = commandLineAt(place)
    })
    after(() => server.stop())

    const signIn = async (name: string, password = name) => {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
      const response = await fetch(new URL('api/v1/me', server.url), { headers: { authorization } })
      return response.status
    }
    const add = (name: string, ...flags: string[]) =>
      quire.run(['user', 'add', name, ...flags], { secret: name.trim() || 'secret' })
    const groupsOf = async (name: string) => (await server.as(name).get('/me')).body.properties.groups

    describe('add', () => {
      test('makes a user who signs in at once, and says so', async () => {
        assert.equal(await signIn('ann'), 401)
        assert.deepEqual(await add('ann'), { code: 0, printed: 'User ann was added.', complained: '' })
        assert.equal(await signIn('ann'), 200)
      })
      test('takes what is known about the user', async () => {
        const profile = ['--first-name', 'Ben', '--last-name=Ito', '--company', 'Acme', '--email', 'ben@acme.test']
        const shown = await quire.json(['user', 'add', 'ben', ...profile, '--groups', 'members,powerusers'], { secret: 'ben' })
        const expected = {
          username: 'ben',
          firstName: 'Ben',
          lastName: 'Ito',
          company: 'Acme',
          email: 'ben@acme.test',
          groups: ['members', 'powerusers'],
        }
        assert.deepEqual(shown, { ...expected, allGroups: ['members', 'powerusers'], isAdministrator: false })
        const { properties } = (await server.as('ben').get('/me')).body
        assert.deepEqual(properties, { ...expected, tenantId: null })
      })
      test('takes the password from QUIRE_USER_PASSWORD before it asks for one', async () => {
        const typed = { variables: { QUIRE_USER_PASSWORD: 'from the variable' }, secret: 'from the input' }
        assert.equal((await quire.run(['user', 'add', 'cem'], typed)).code, 0)
        assert.equal(await signIn('cem', 'from the variable'), 200)
        assert.equal(await signIn('cem', 'from the input'), 401)
      })
      test('makes a user without a password only when told to', async () => {
        const refused = await quire.run(['user', 'add', 'dee'])
        assert.equal(refused.code, 1)
        assert.match(refused.complained, /^quire: no password was given: set QUIRE_USER_PASSWORD or write it to standard input$/)
        assert.equal((await quire.run(['user', 'add', 'dee'], { secret: '  ' })).code, 1)
        assert.equal((await server.as('Administrator').get('/user/dee')).status, 404)
        assert.equal((await quire.run(['user', 'add', 'dee', '--without-password'])).code, 0)
        assert.equal((await server.as('Administrator').get('/user/dee')).status, 200)
        for (const password of ['', 'dee', 'null']) assert.equal(await signIn('dee', password), 401)
      })
      test('trims the name as the API does', async () => {
        assert.equal((await add(' eve ')).printed, 'User eve was added.')
        assert.equal((await server.as('Administrator').get('/user/eve')).status, 200)
      })
      test('takes a name that looks like a flag behind two dashes', async () => {
        const flags = place.flags
        const outcome = await commandLineAt({ ...place, flags: [] }).run([
          'user',
          'add',
          ...flags,
          '--without-password',
          '--',
          '--odd',
        ])
        assert.deepEqual(outcome, { code: 0, printed: 'User --odd was added.', complained: '' })
      })

      const refused: readonly [what: string, name: string, flags: readonly string[], reason: RegExp][] = [
        ['that exists', 'Administrator', [], /User already exists/],
        ['without a name', ' ', [], /User MUST have a name/],
        ['with a name that means something else', 'Everyone', [], /The user name/],
        ['with a control character in the name', 'a\u0007b', [], /control character/],
        ['with a step .. in the name', '../x', [], /\.\./],
        ['with a name of 5,000 characters', 'x'.repeat(5_000), [], /5000 characters/],
        ['in a group that does not exist', 'fay', ['--groups', 'members,nowhere'], /group does not exist: nowhere/],
        ['with an address that is none', 'fay', ['--email', 'nowhere'], /email/],
        ['with a company of 1 MB', 'fay', ['--company', 'x'.repeat(1_000_000)], /company/],
      ]
      for (const [what, name, flags, reason] of refused) {
        test(`refuses a user ${what} in one line, and adds none`, async () => {
          const users = await quire.json(['user', 'list'])
          const { code, printed, complained } = await add(name, ...flags)
          assert.deepEqual([code, printed], [1, ''])
          assert.match(complained, /^quire: [^\n]+$/)
          assert.match(complained, reason)
          assert.deepEqual(await quire.json(['user', 'list']), users)
        })
      }
      test('refuses a password that the pattern of the server does not allow', async () => {
        const outcome = await add('gus', '--user-password-pattern', '[0-9]')
        assert.deepEqual(outcome, { code: 1, printed: '', complained: "quire: The password doesn't meet requirements" })
      })
    })

    describe('password', () => {
      test('lets the new one in and the old one no longer, from the next request on', async () => {
        await add('hal')
        assert.equal(await signIn('hal'), 200)
        const outcome = await quire.run(['user', 'password', 'hal'], { secret: 'renewed' })
        assert.deepEqual(outcome, { code: 0, printed: 'The password of hal was set.', complained: '' })
        assert.equal(await signIn('hal'), 401)
        assert.equal(await signIn('hal', 'renewed'), 200)
      })
      test('shows neither the password nor what is stored for it', async () => {
        const { printed } = await quire.run(['user', 'password', 'hal', '--json'], { secret: 'hush hush' })
        assert.ok(!/hush|argon/i.test(printed))
      })
      test('keeps everything else about the user', async () => {
        await quire.run(['user', 'password', 'ben'], { secret: 'ben' })
        assert.equal((await server.as('ben').get('/me')).body.properties.email, 'ben@acme.test')
        assert.deepEqual(await groupsOf('ben'), ['members', 'powerusers'])
      })
      test('is refused for nobody, and without a password', async () => {
        const nobody = await quire.run(['user', 'password', 'nobody'], { secret: 'x' })
        assert.deepEqual(nobody.complained, 'quire: there is no user nobody; quire user list shows those there are')
        assert.equal((await quire.run(['user', 'password', 'hal'])).code, 1)
      })
      test('is never taken from the command line', async () => {
        const outcome = await quire.run(['user', 'password', 'hal', '--user-password', 'x'])
        assert.equal(outcome.code, 2)
        assert.match(outcome.complained, /^quire: --user-password is a secret.*set QUIRE_USER_PASSWORD instead$/)
        assert.equal((await quire.run(['user', 'password', 'hal', 'x'])).code, 2)
      })
    })

    describe('change', () => {
      test('changes what is given and nothing else', async () => {
        const shown = await quire.json(['user', 'change', 'ben', '--company', 'Zenith', '--groups', 'members'])
        assert.deepEqual([shown.company, shown.email, shown.groups], ['Zenith', 'ben@acme.test', ['members']])
        assert.equal(await signIn('ben'), 200)
      })
      test('takes effect on the rights of the next request', async () => {
        assert.equal((await server.as('ben').get('/me')).body.isAdministrator, false)
        await quire.run(['user', 'change', 'ben', '--groups', 'administrators'])
        assert.equal((await server.as('ben').get('/me')).body.isAdministrator, true)
        await quire.run(['user', 'change', 'ben', '--groups', ''])
        assert.equal((await server.as('ben').get('/me')).body.isAdministrator, false)
      })
      test('is refused for nobody', async () => {
        assert.equal((await quire.run(['user', 'change', 'nobody', '--company', 'x'])).code, 1)
      })
    })

    describe('list', () => {
      test('has all users by name, without their passwords', async () => {
        const users = await quire.json(['user', 'list'])
        const names = users.map((one: { username: string }) => one.username)
        assert.ok(names.includes('Administrator') && names.includes('ann') && names.includes('ben'))
        assert.deepEqual(Object.keys(users[0]), ['username', 'firstName', 'lastName', 'company', 'email'])
        assert.ok(!/argon/i.test(JSON.stringify(users)))
      })
      test('has those whose names begin with a term', async () => {
        assert.deepEqual(
          (await quire.json(['user', 'list', 'BE'])).map((one: { username: string }) => one.username),
          ['ben'],
        )
        assert.deepEqual(await quire.json(['user', 'list', 'zzz']), [])
      })
      test('is a table for people', async () => {
        const { printed } = await quire.run(['user', 'list', 'ben'])
        assert.equal(printed, 'USER  NAME     E-MAIL\nben   Ben Ito  ben@acme.test')
        assert.equal((await quire.run(['user', 'list', 'zzz'])).printed, 'No users.')
      })
      test('has more users than one search may find over HTTP', async () => {
        await server.services.directories.store.transact(async ({ directories }) => {
          for (let index = 0; index < 1_200; index++) {
            const username = `many${String(index).padStart(4, '0')}`
            await directories.insert('userDirectory', { id: username, values: { username }, terms: { username } })
          }
        })
        const many = await quire.json(['user', 'list', 'many'])
        assert.equal(many.length, 1_200)
        assert.equal(many[1_199].username, 'many1199')
      })
    })

    describe('show', () => {
      test('has the groups of the user, also through others', async () => {
        await quire.run(['group', 'add', 'inner'])
        await quire.run(['group', 'add-group', 'administrators', 'inner'])
        await add('ida', '--groups', 'inner')
        const shown = await quire.json(['user', 'show', 'ida'])
        assert.deepEqual([shown.groups, shown.allGroups, shown.isAdministrator], [['inner'], ['inner', 'administrators'], true])
        assert.match((await quire.run(['user', 'show', 'ida'])).printed, /^allGroups +inner, administrators$/m)
      })
      test('is refused for nobody', async () => {
        const { code, complained } = await quire.run(['user', 'show', 'nobody'])
        assert.deepEqual([code, complained], [1, 'quire: there is no user nobody; quire user list shows those there are'])
      })
    })

    describe('remove', () => {
      test('lets the user in no longer, from the next request on, and empties its place in groups', async () => {
        await add('jo', '--groups', 'members')
        assert.equal(await signIn('jo'), 200)
        assert.deepEqual(await quire.run(['user', 'remove', 'jo']), {
          code: 0,
          printed: 'User jo was removed.',
          complained: '',
        })
        assert.equal(await signIn('jo'), 401)
        assert.ok(!(await quire.json(['group', 'members', 'members'])).memberUsers.includes('jo'))
      })
      test('is refused for nobody', async () => {
        assert.equal((await quire.run(['user', 'remove', 'jo'])).code, 1)
      })
    })

    describe('anything', () => {
      for (const [what, args] of [
        ['an unknown command', ['user', 'ad', 'x']],
        ['an unknown flag', ['user', 'add', 'x', '--emial', 'y']],
        ['a missing name', ['user', 'add']],
        ['two names', ['user', 'remove', 'x', 'y']],
        ['a name for a list', ['user', 'list', 'x', 'y']],
      ] as const) {
        test(`ends with 2 and one line for ${what}`, async () => {
          const { code, printed, complained } = await quire.run(args)
          assert.deepEqual([code, printed], [2, ''])
          assert.match(complained, /^quire: [^\n]+$/)
        })
      }
    })
  })
}
