import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  basicOf,
  callAs,
  codeFor,
  done,
  type Parameters,
  present,
  registerClient,
  storedTokens,
  tokenFor,
} from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const byCode = { grant_type: 'authorization_code' }
const byRefresh = { grant_type: 'refresh_token' }
const unusable = ['invalid_client', 'Disabled client or invalid client secret'] as const
// security 6.3
const verifier = 'kJ3v9Qm1xZt7Lw5Rb8Yc2Nd6Fg4Hs0Pa_uE-iOoTqXy'
const challenge = 'VyoKeGQxHSSiH2zgzb2gaz_WxTyuUVGkXh73ldQw4Fo'

onEachServer('giving a program a token', (server) => {
  let enabling = ''
  before(async () => {
    await server.addUser('alice')
    await server.addUser('bob')
    await registerClient(server, 'open')
    await registerClient(server, 'other')
    await registerClient(server, 'secretive', { clientSecret: 's3cret' })
    enabling = await registerClient(server, 'switched')
  })

  const refusal = async (sent: Parameters, headers?: Parameters) => {
    const { status, headers: got, body } = await present(server, sent, headers)
    assert.equal(got.get('content-type')?.split(';')[0], 'application/json')
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['error', 'error_description'])
    return [body.error, body.error_description]
  }

  /** The code is gone, whatever was wrong with what came with it. */
  const assertGone = async (code: string) => {
    assert.deepEqual(await refusal({ ...byCode, client_id: 'open', code }), ['invalid_grant', 'Invalid authorization code'])
  }

  test('6.3 answers with four fields, which nobody keeps', async () => {
    const code = await codeFor(server, 'alice', 'open')
    const { status, headers, body } = await present(server, { ...byCode, client_id: 'open', code })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['access_token', 'refresh_token', 'token_type', 'expires_in'])
    assert.match(body.access_token, /^[A-Za-z0-9]{32}$/)
    assert.match(body.refresh_token, /^[A-Za-z0-9]{64}$/)
    assert.equal(body.token_type, 'bearer')
    assert.ok(body.expires_in > 3_500 && body.expires_in <= 3_600)
    assert.deepEqual([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache'])
    assert.deepEqual(await callAs(server, body.access_token), { status: 200, user: 'alice' })
  })

  test('6.3 takes parameters from the address, too, and is for those who post', async () => {
    const code = await codeFor(server, 'alice', 'open')
    const url = new URL(`oauth2/token?${new URLSearchParams({ ...byCode, client_id: 'open', code })}`, server.url)
    const page = await fetch(url)
    assert.deepEqual([page.status, page.headers.get('content-type')], [405, 'text/html;charset=UTF-8'])
    assert.equal((await fetch(url, { method: 'POST' })).status, 200)
  })

  describe('6.3 refuses', () => {
    test('other grants', async () => {
      const sentence = (type: string) => `Unknown grant_type: got "${type}", expecting "authorization_code" or "refresh_token".`
      assert.deepEqual(await refusal({ grant_type: 'password' }), ['unsupported_grant_type', sentence('password')])
      assert.deepEqual(await refusal({ grant_type: 'constructor' }), ['unsupported_grant_type', sentence('constructor')])
      assert.deepEqual(await refusal({}), ['unsupported_grant_type', sentence('null')])
    })

    test('a code that nobody has', async () => {
      const unknown = ['invalid_grant', 'Invalid authorization code']
      assert.deepEqual(await refusal({ ...byCode, client_id: 'open', code: 'abc' }), unknown)
      assert.deepEqual(await refusal({ ...byCode, client_id: 'open' }), unknown)
      assert.deepEqual(await refusal({ ...byCode, client_id: 'open', code: '%00\u0000'.repeat(1000) }), unknown)
    })

    test('the code of another program, which is then of no use to either', async () => {
      const code = await codeFor(server, 'alice', 'open')
      assert.deepEqual(await refusal({ ...byCode, client_id: 'other', code }), ['invalid_client', 'Invalid client id: other'])
      await assertGone(code)
      const again = await codeFor(server, 'alice', 'open')
      assert.deepEqual(await refusal({ ...byCode, code: again }), ['invalid_client', 'Invalid client id: null'])
      await assertGone(again)
    })

    test('a wrong secret, and none where there is one', async () => {
      for (const sent of [{ client_secret: 'wrong' }, {}] as Parameters[]) {
        const code = await codeFor(server, 'alice', 'secretive')
        assert.deepEqual(await refusal({ ...byCode, client_id: 'secretive', code, ...sent }), [...unusable])
        await assertGone(code)
      }
    })

    test('a program that was disabled after the person consented', async () => {
      const code = await codeFor(server, 'alice', 'switched')
      const entry = { 'entity-type': 'directoryEntry', id: enabling, properties: { enabled: false } }
      assert.equal((await server.as('Administrator').put(`/directory/oauth2Clients/${enabling}`, entry)).status, 200)
      assert.deepEqual(await refusal({ ...byCode, client_id: 'switched', code }), [...unusable])
      await assertGone(code)
    })

    test('another address than the code was asked for with', async () => {
      const code = await codeFor(server, 'alice', 'open', { redirect_uri: done })
      const sent = { ...byCode, client_id: 'open', code, redirect_uri: 'https://evil.example/' }
      assert.deepEqual(await refusal(sent), ['invalid_grant', 'Invalid redirect URI: https://evil.example/'])
      await assertGone(code)
      const again = await codeFor(server, 'alice', 'open', { redirect_uri: done })
      assert.deepEqual(await refusal({ ...byCode, client_id: 'open', code: again }), [
        'invalid_grant',
        'Invalid redirect URI: null',
      ])
      await assertGone(again)
    })

    test('a proof that is missing, wrong, or not asked for', async () => {
      const wrong = ['invalid_grant', 'Invalid code_verifier parameter']
      const proven = { code_challenge: challenge, code_challenge_method: 'S256' }
      const one = { ...byCode, client_id: 'open', code: await codeFor(server, 'alice', 'open', proven) }
      assert.deepEqual(await refusal(one), ['invalid_request', 'Missing code_verifier parameter'])
      await assertGone(one.code)
      const two = { ...byCode, client_id: 'open', code: await codeFor(server, 'alice', 'open', proven) }
      assert.deepEqual(await refusal({ ...two, code_verifier: challenge }), wrong)
      await assertGone(two.code)
      const three = { ...byCode, client_id: 'open', code: await codeFor(server, 'alice', 'open') }
      assert.deepEqual(await refusal({ ...three, code_verifier: verifier }), wrong)
      await assertGone(three.code)
    })

    test('to refresh without a program, with a wrong one, or what is not its own', async () => {
      const { refresh_token } = await tokenFor(server, 'bob', 'open')
      assert.deepEqual(await refusal({ ...byRefresh, refresh_token }), ['invalid_request', 'Empty client id'])
      assert.deepEqual(await refusal({ ...byRefresh, client_id: 'nobody', refresh_token }), [...unusable])
      assert.deepEqual(await refusal({ ...byRefresh, client_id: 'switched', refresh_token }), [...unusable])
      const cannot = ['invalid_grant', 'Cannot refresh token']
      assert.deepEqual(await refusal({ ...byRefresh, client_id: 'other', refresh_token }), cannot)
      assert.deepEqual(await refusal({ ...byRefresh, client_id: 'open', refresh_token: refresh_token.toUpperCase() }), cannot)
      assert.deepEqual(await refusal({ ...byRefresh, client_id: 'open' }), cannot)
    })

    test('bodies without end', async () => {
      const { status } = await present(server, { grant_type: 'x'.repeat(70_000) })
      assert.equal(status, 413)
    })
  })

  test('6.3 takes the proof by either method', async () => {
    for (const [method, sent] of [
      ['S256', challenge],
      ['plain', verifier],
    ] as const) {
      const code = await codeFor(server, 'alice', 'open', { code_challenge: sent, code_challenge_method: method })
      const { status } = await present(server, { ...byCode, client_id: 'open', code, code_verifier: verifier })
      assert.equal(status, 200, method)
    }
  })

  test('6.3 takes the program from the header, which wins', async () => {
    const code = await codeFor(server, 'alice', 'secretive')
    const { status } = await present(server, { ...byCode, client_id: 'open', code }, basicOf('secretive', 's3cret'))
    assert.equal(status, 200)
    const again = await codeFor(server, 'alice', 'secretive')
    const header = { authorization: basicOf('secretive', 'wrong')['authorization']?.replace('Basic', 'bASIC') ?? '' }
    assert.deepEqual(await refusal({ ...byCode, client_id: 'secretive', client_secret: 's3cret', code: again }, header), [
      ...unusable,
    ])
    const empty = await codeFor(server, 'alice', 'open')
    assert.equal((await present(server, { ...byCode, code: empty }, basicOf('open', ''))).status, 200)
  })

  test('6.3 refreshes whatever the age: both tokens are new, and the old ones are dead', async () => {
    const first = await tokenFor(server, 'bob', 'other')
    const { status, body: second } = await present(server, {
      ...byRefresh,
      client_id: 'other',
      refresh_token: first.refresh_token,
    })
    assert.equal(status, 200)
    assert.notEqual(second.access_token, first.access_token)
    assert.notEqual(second.refresh_token, first.refresh_token)
    assert.deepEqual(await callAs(server, second.access_token), { status: 200, user: 'bob' })
    assert.equal((await callAs(server, first.access_token)).status, 401)
    const again = { ...byRefresh, client_id: 'other', refresh_token: first.refresh_token }
    assert.deepEqual(await refusal(again), ['invalid_grant', 'Cannot refresh token'])
    const own = (await storedTokens(server)).filter(({ properties }) => properties['clientId'] === 'other')
    assert.deepEqual(
      own.map(({ properties }) => properties['accessToken']),
      [second.access_token],
    )
  })

  test('6.3 gives several who refresh at once one new token', async () => {
    const { refresh_token } = await tokenFor(server, 'alice', 'other')
    const sent = { ...byRefresh, client_id: 'other', refresh_token }
    const answers = await Promise.all(Array.from({ length: 6 }, () => present(server, sent)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400, 400])
  })

  test('6.3 gives several who present a code at once one token at the most', async () => {
    const code = await codeFor(server, 'alice', 'open')
    const answers = await Promise.all(Array.from({ length: 6 }, () => present(server, { ...byCode, client_id: 'open', code })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('what was given for a code is revoked when the code is presented again', async () => {
    await registerClient(server, 'replayed')
    const sent = { ...byCode, client_id: 'replayed', code: await codeFor(server, 'alice', 'replayed') }
    const { body } = await present(server, sent)
    assert.equal((await callAs(server, body.access_token)).status, 200)
    assert.deepEqual(await refusal(sent), ['invalid_grant', 'Invalid authorization code'])
    assert.equal((await callAs(server, body.access_token)).status, 401)
    const refresh = { ...byRefresh, client_id: 'replayed', refresh_token: body.refresh_token }
    assert.deepEqual(await refusal(refresh), ['invalid_grant', 'Cannot refresh token'])
  })

  test('6.3 replaces a token that has expired when the person consents again', async () => {
    await registerClient(server, 'old')
    const first = await tokenFor(server, 'alice', 'old')
    await expire(first.access_token)
    const second = await tokenFor(server, 'alice', 'old')
    assert.notEqual(second.access_token, first.access_token)
    assert.ok(second.expires_in > 3_500)
    const own = (await storedTokens(server)).filter(({ properties }) => properties['clientId'] === 'old')
    assert.equal(own.length, 1)
  })

  test('codes are not stored as they are', async () => {
    const code = await codeFor(server, 'alice', 'open')
    const stored = await server.services.directories.store.reader.transient.list('oauth2/', new Date().toISOString())
    assert.ok(stored.length > 0)
    assert.ok(!JSON.stringify(stored).includes(code))
  })

  async function expire(accessToken: string): Promise<void> {
    const entry = (await storedTokens(server)).find(({ properties }) => properties['accessToken'] === accessToken)
    assert.ok(entry)
    const sent = { 'entity-type': 'directoryEntry', id: entry.id, properties: { creationDate: '2011-10-23T12:00:00.00Z' } }
    assert.equal((await server.as('Administrator').put(`/directory/oauth2Tokens/${entry.id}`, sent)).status, 200)
  }

  describe('2.7 the bearer of a token', () => {
    test('is its user, by the header or by the parameter, which comes first', async () => {
      const { access_token } = await tokenFor(server, 'bob', 'open')
      assert.deepEqual(await callAs(server, access_token), { status: 200, user: 'bob' })
      assert.deepEqual(await callAs(server, 'wrong', `/me?access_token=${access_token}`), { status: 200, user: 'bob' })
      assert.equal((await callAs(server, access_token, '/me?access_token=wrong')).status, 401)
      const form = { method: 'POST', body: new URLSearchParams({ access_token }) }
      assert.equal((await fetch(new URL('api/v1/upload', server.url), form)).status, 201)
      assert.deepEqual(await callAs(server, access_token, '/me?access_token='), { status: 200, user: 'bob' })
    })

    test('is nobody with a word that is spelled otherwise, or a token that is', async () => {
      const { access_token } = await tokenFor(server, 'bob', 'open')
      for (const authorization of [
        `bearer ${access_token}`,
        `Bearer  ${access_token}`,
        `Bearer ${access_token.toLowerCase()}`,
        'Bearer ',
        `Bearer ${'x'.repeat(8_000)}`,
      ]) {
        const { status, headers } = await fetch(new URL('api/v1/me', server.url), { headers: { authorization } })
        assert.equal(status, 401, authorization.slice(0, 60))
        assert.doesNotMatch(headers.get('www-authenticate') ?? '', /invalid_token/)
      }
    })

    test('is nobody with the next request once it is revoked, expired, its program disabled, or its user gone', async () => {
      const id = await registerClient(server, 'short')
      const admin = server.as('Administrator')
      const enable = (enabled: boolean) =>
        admin.put(`/directory/oauth2Clients/${id}`, { 'entity-type': 'directoryEntry', id, properties: { enabled } })
      await server.addUser('carol')
      const { access_token: token } = await tokenFor(server, 'carol', 'short')
      assert.equal((await callAs(server, token)).status, 200)
      await enable(false)
      assert.equal((await callAs(server, token)).status, 401)
      await enable(true)
      assert.equal((await callAs(server, token)).status, 200)
      await expire(token)
      assert.equal((await callAs(server, token)).status, 401)
      const { access_token: next } = await tokenFor(server, 'carol', 'short')
      assert.equal((await callAs(server, next)).status, 200)
      const [entry] = (await storedTokens(server)).filter(({ properties }) => properties['accessToken'] === next)
      await admin.delete(`/directory/oauth2Tokens/${entry?.id}`)
      assert.equal((await callAs(server, next)).status, 401)
      const { access_token: last } = await tokenFor(server, 'carol', 'short')
      await admin.delete(`/directory/oauth2Clients/${id}`)
      assert.equal((await callAs(server, last)).status, 401)
    })

    test('is nobody when its user is gone, not even when another of that name comes', async () => {
      await server.addUser('dora')
      const { access_token: token, refresh_token } = await tokenFor(server, 'dora', 'open')
      assert.equal((await callAs(server, token)).status, 200)
      assert.equal((await server.as('Administrator').delete('/user/dora')).status, 204)
      assert.equal((await callAs(server, token)).status, 401)
      await server.addUser('dora')
      assert.equal((await callAs(server, token)).status, 401)
      assert.deepEqual(await refusal({ ...byRefresh, client_id: 'open', refresh_token }), [
        'invalid_grant',
        'Cannot refresh token',
      ])
    })

    test('is not the next of a name for what another has agreed to', async () => {
      await server.addUser('erik')
      const code = await codeFor(server, 'erik', 'open')
      const used = await codeFor(server, 'erik', 'open')
      await present(server, { grant_type: 'authorization_code', client_id: 'open', code: used })
      assert.equal((await server.as('Administrator').delete('/user/erik')).status, 204)
      await server.addUser('erik')
      const { status, body } = await present(server, { grant_type: 'authorization_code', client_id: 'open', code })
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
      const { access_token } = await tokenFor(server, 'erik', 'open')
      await present(server, { grant_type: 'authorization_code', client_id: 'open', code: used })
      assert.equal((await callAs(server, access_token)).status, 200)
    })

    test('is nobody for a code of somebody who is gone', async () => {
      await server.addUser('frieda')
      const code = await codeFor(server, 'frieda', 'open')
      assert.equal((await server.as('Administrator').delete('/user/frieda')).status, 204)
      const { status, body } = await present(server, { grant_type: 'authorization_code', client_id: 'open', code })
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
      const left = (await storedTokens(server)).filter(({ properties }) => properties['platformLogin'] === 'frieda')
      assert.deepEqual(left, [])
    })

    describe('is given nothing that would outlive the consent', () => {
      const device = { applicationName: 'app', deviceId: 'd', permission: 'rw' }
      const asked = new URLSearchParams({ client_id: 'platform-mobile', response_type: 'code' })
      const doors = {
        'a code': ['GET', `oauth2/authorize?${asked}`],
        'a consent': ['POST', `oauth2/authorize_submit?${asked}&grant_access=1`],
        'a token': ['GET', `authentication/token?${new URLSearchParams(device)}`],
        'a token of the API': ['POST', 'api/v1/token?application=app&deviceId=d&permission=rw'],
        'the tokens of the user': ['GET', 'api/v1/token'],
      } as const
      for (const [what, [method, path]] of Object.entries(doors)) {
        test(what, async () => {
          // One that there is would be told again.
          const known = await server.as('alice').call('GET', `authentication/token?${new URLSearchParams(device)}`)
          assert.equal(known.status, 201, known.text)
          const { access_token } = await tokenFor(server, 'alice', 'open')
          const addresses = [path, `${path}${path.includes('?') ? '&' : '?'}access_token=${access_token}`]
          for (const [index, address] of addresses.entries()) {
            const headers: Record<string, string> = index === 0 ? { authorization: `Bearer ${access_token}` } : {}
            const answer = await fetch(new URL(address, server.url), { method, headers, redirect: 'manual' })
            const text = await answer.text()
            assert.equal(answer.status, 403, text)
            assert.match(text, /Have the user sign in/)
          }
        })
      }
      test('but it may give tokens back', async () => {
        const { access_token } = await tokenFor(server, 'alice', 'open')
        const path = `authentication/token?${new URLSearchParams({ ...device, revoke: 'true' })}`
        const answer = await fetch(new URL(path, server.url), { headers: { authorization: `Bearer ${access_token}` } })
        assert.equal(answer.status, 202, await answer.text())
      })
    })

    test('has the rights of the user, and no others', async () => {
      const { access_token } = await tokenFor(server, 'bob', 'open')
      const headers = { authorization: `Bearer ${access_token}` }
      const { body } = await server.as('bob').get('/directory/oauth2Tokens', headers)
      assert.deepEqual(body.entries, [])
      assert.equal((await callAs(server, access_token, '/path/')).status, 403)
    })
  })
})
