import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { commandLineAt } from '../support/command-line.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'

for (const engine of engines) {
  describe(`quire token, beside a server (${engine})`, () => {
    let place: DatabasePlace
    let server: TestServer
    let quire: ReturnType<typeof commandLineAt>
    before(async () => {
      place = await filledPlace(engine)
      server = await startTestServer({ settings: place.settings })
      quire = commandLineAt(place)
      for (const name of ['ann', 'ben']) await server.addUser(name)
    })
    after(() => server.stop())

    const userOf = async (token: string) => {
      const answer = await fetch(new URL('api/v1/me', server.url), { headers: { 'x-authentication-token': token } })
      return answer.status === 200 ? ((await answer.json()) as { id: string }).id : answer.status
    }
    const binding = ['--application', 'Backup', '--device-id', 'cellar']
    const add = async (user: string, ...flags: string[]) => {
      const { code, printed, complained } = await quire.run(['token', 'add', user, ...binding, ...flags])
      assert.equal(code, 0, complained)
      return printed
    }

    test('add prints a token that lets in at once, and the same each time', async () => {
      const token = await add('ann')
      assert.equal(await userOf(token), 'ann')
      assert.equal(await add('ann'), token)
      const { text } = await server.as('ann').call('POST', 'api/v1/token?application=Backup&deviceId=cellar&permission=rw')
      assert.equal(text, token)
      assert.notEqual(await add('ben'), token)
    })
    test('add refuses a user that does not exist, and a token for nothing', async () => {
      const nobody = await quire.run(['token', 'add', 'nobody', ...binding])
      assert.deepEqual(
        [nobody.code, nobody.complained],
        [1, 'quire: there is no user nobody; quire user list shows those there are'],
      )
      const unbound = await quire.run(['token', 'add', 'ann', '--application', 'Backup'])
      assert.deepEqual([unbound.code, unbound.complained], [1, 'quire: The parameter deviceId is missing or empty. Send it.'])
    })
    test('list names tokens by ids that let nobody in and revoke them', async () => {
      const token = await add('ann', '--device-description', 'the old one')
      const { printed } = await quire.run(['token', 'list'])
      assert.match(printed, /^USER +APPLICATION +DEVICE +PERMISSION +SINCE +ID\n/)
      assert.ok(!printed.includes(token))
      const [listed] = await quire.json(['token', 'list', 'ann'])
      assert.deepEqual([listed.userName, listed.applicationName, listed.deviceId], ['ann', 'Backup', 'cellar'])
      assert.equal(await userOf(listed.id), 401)
      assert.deepEqual(await quire.json(['token', 'revoke', listed.id]), { revoked: 1 })
      assert.equal(await userOf(token), 401)
      assert.equal((await quire.run(['token', 'list', 'ann'])).printed, 'No tokens.')
    })
    test('revoke takes those of a user, a program or a device, and all only when told to', async () => {
      const [anns, bens] = [await add('ann'), await add('ben')]
      const nothing = await quire.run(['token', 'revoke'])
      assert.equal(nothing.code, 1)
      assert.match(nothing.complained, /^quire: name a token or its id, or say which by --user/)
      assert.equal((await quire.run(['token', 'revoke', anns, '--all'])).code, 1)
      assert.equal((await quire.run(['token', 'revoke', 'unknown'])).printed, '0 tokens were revoked.')
      assert.equal(
        (await quire.run(['token', 'revoke', '--user', 'ann', '--application', 'Other'])).printed,
        '0 tokens were revoked.',
      )
      assert.equal((await quire.run(['token', 'revoke', '--user', 'ann'])).printed, '1 token was revoked.')
      assert.deepEqual([await userOf(anns), await userOf(bens)], [401, 'ben'])
      await add('ann')
      assert.equal((await quire.run(['token', 'revoke', '--all'])).printed, '2 tokens were revoked.')
      assert.equal(await userOf(bens), 401)
    })
    test('rotate leaves tokens as they are until the older secrets are forgotten, and then gives new ones in their place', async () => {
      const token = await add('ann')
      assert.equal((await quire.run(['token', 'rotate'])).code, 0)
      assert.equal(await add('ann'), token)
      const { printed } = await quire.run(['token', 'rotate', '--forget-older'])
      assert.equal(printed, 'New tokens come from a new secret. The older ones in the database are forgotten.')
      assert.equal(await userOf(token), 'ann')
      // What cannot be told is listed by its digest, which revokes it all the same.
      const [listed] = (await server.as('ann').get('/token')).body.entries
      assert.match(listed.id, /^[\da-f]{64}$/)
      const replaced = await add('ann')
      assert.notEqual(replaced, token)
      assert.deepEqual([await userOf(token), await userOf(replaced)], [401, 'ann'])
    })
    test('a secret that is set comes before that of the database', async () => {
      const variables = { QUIRE_TOKEN_SECRET: 'first second' }
      const run = async (...args: string[]) => (await quire.run(args, { variables })).printed
      const kept = await add('ben')
      assert.equal(await run('token', 'add', 'ben', ...binding), kept)
      const made = await run('token', 'add', 'ben', '--application', 'New', '--device-id', 'x')
      assert.equal(await userOf(made), 'ben')
      const rotated = await quire.run(['token', 'add', 'ben', '--application', 'New', '--device-id', 'x'], {
        variables: { QUIRE_TOKEN_SECRET: 'zeroth first' },
      })
      assert.equal(rotated.printed, made)
      assert.notEqual((await quire.run(['token', 'add', 'ben', '--application', 'New', '--device-id', 'x'])).printed, made)
    })
  })
}
