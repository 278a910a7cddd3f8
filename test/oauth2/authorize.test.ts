import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storedEntry } from '../../src/core/directories/stored-entry.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { authorize, done, placeOf, present, registerClient, submit, tokenFor } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'

const code = { response_type: 'code' }

function assertPage({ status, headers, text }: ApiAnswer, expected: number, words: string | RegExp): void {
  assert.equal(status, expected, text)
  assert.equal(headers.get('content-type'), 'text/html;charset=UTF-8')
  assert.equal(headers.get('location'), null)
  if (typeof words === 'string') assert.ok(text.includes(words), text)
  else assert.match(text, words)
}

onEachServer('asking a person for consent', (server) => {
  before(async () => {
    await server.addUser('alice')
    await server.addUser('bob')
    await registerClient(server, 'plain')
    await registerClient(server, 'off', { enabled: false })
    await registerClient(server, 'trusted', { autoGrant: true })
    const uris: { readonly [name: string]: string | null } = {
      none: null,
      'plain-http': 'http://app.example/done',
      'localhost-domain': 'http://localhost.example.com/done',
      'https-uri': 'https://app.example/done',
      'localhost-uri': 'http://localhost:4200/done',
      scheme: 'acme://done',
      two: `https://first.example/,${done}`,
      query: 'https://app.example/done?tenant=7',
    }
    for (const [name, redirectURIs] of Object.entries(uris)) await registerClient(server, name, { redirectURIs })
  })

  test('6.1 needs somebody who is signed in', async () => {
    const response = await fetch(new URL('oauth2/authorize?client_id=plain&response_type=code', server.url), {
      redirect: 'manual',
    })
    assert.equal(response.status, 401)
  })

  test('6.1 is a form with all that was asked for, and two buttons', async () => {
    const sent = {
      client_id: 'plain',
      ...code,
      redirect_uri: done,
      scope: 'all',
      state: '"><b>x',
      code_challenge: 'abc',
      code_challenge_method: 'S256',
    }
    const answer = await authorize(server, 'alice', sent)
    assertPage(answer, 200, `<form method="post" action="${server.url}oauth2/authorize_submit">`)
    for (const [name, value] of Object.entries({ ...sent, state: '&quot;&gt;&lt;b&gt;x' }))
      assert.ok(answer.text.includes(`<input type="hidden" name="${name}" value="${value}">`), name)
    assert.match(answer.text, /<button [^>]*name="grant_access" value="1">/)
    assert.match(answer.text, /<button [^>]*name="deny_access" value="1">/)
    assert.match(answer.text, /<b>The plain<\/b>/)
    assert.match(answer.text, /<b>alice<\/b>/)
  })

  test('6.1 is kept by nobody, shown by no other page, and runs no script', async () => {
    const { headers, text } = await authorize(server, 'alice', { client_id: 'plain', ...code })
    assert.match(headers.get('cache-control') ?? '', /no-cache/)
    assert.equal(headers.get('pragma'), 'no-cache')
    assert.ok(Date.parse(headers.get('expires') ?? '') < Date.now())
    assert.equal(headers.get('x-frame-options'), 'DENY')
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*form-action 'self' https:\/\/app\.example; frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|script-src/)
    assert.doesNotMatch(text, /<script|\son\w+=/)
  })

  test('6.1 speaks English, or French to those who prefer it', async () => {
    const asked = { client_id: 'plain', ...code }
    assert.match((await authorize(server, 'alice', asked)).text, /<html lang="en">[\s\S]*>Allow</)
    assert.match(
      (await authorize(server, 'alice', asked, { 'accept-language': 'fr-CA, en;q=0.5' })).text,
      /<html lang="fr">[\s\S]*>Autoriser</,
    )
  })

  describe('6.1 refuses on a page, in this order', () => {
    const rows: readonly (readonly [string, { readonly [name: string]: string }, number, string | RegExp])[] = [
      ['no client', { response_type: 'x' }, 400, 'Missing required field &quot;client_id&quot;.'],
      ['a blank client', { client_id: ' ', ...code }, 400, 'Missing required field &quot;client_id&quot;.'],
      ['no response type', { client_id: 'nobody' }, 400, 'Missing required field &quot;response_type&quot;.'],
      [
        'another response type',
        { client_id: 'nobody', response_type: 'token' },
        400,
        'Unknown response_type: got &quot;token&quot;, expecting &quot;code&quot;.',
      ],
      ['an unknown client', { client_id: 'nobody', ...code }, 400, 'Invalid client_id: nobody.'],
      ['a disabled client', { client_id: 'off', ...code }, 400, 'The client off is disabled.'],
      ['a client without address', { client_id: 'none', ...code }, 400, 'no redirect URI'],
      ['an address of plain HTTP', { client_id: 'plain-http', ...code }, 400, 'is not secure'],
      ['a domain that begins like localhost', { client_id: 'localhost-domain', ...code }, 400, 'is not secure'],
      [
        'an address that is not registered',
        { client_id: 'plain', ...code, redirect_uri: 'https://evil.example/' },
        400,
        'is not one of the client',
      ],
      [
        'an address that begins like a registered one',
        { client_id: 'plain', ...code, redirect_uri: `${done}/more` },
        400,
        'is not one of',
      ],
      ['a challenge alone', { client_id: 'plain', ...code, code_challenge: 'x' }, 400, 'Send both'],
      ['a method alone', { client_id: 'plain', ...code, code_challenge_method: 'S256' }, 400, 'Send both'],
      [
        'an unknown method',
        { client_id: 'plain', ...code, code_challenge: 'x', code_challenge_method: 'MD5' },
        400,
        'Unknown code_challenge_method: got &quot;MD5&quot;',
      ],
      ['a state without end', { client_id: 'plain', ...code, state: 'x'.repeat(4_001) }, 400, 'has more than 4000 characters'],
    ]
    for (const [what, sent, status, words] of rows) {
      test(what, async () => {
        assertPage(await authorize(server, 'alice', sent), status, words)
        assertPage(await submit(server, 'alice', { ...sent, grant_access: '1' }), status, words)
      })
    }
    test('and the page has the reason as its title, and nothing in it runs', async () => {
      const answer = await authorize(server, 'alice', { client_id: '<script>alert(1)</script>', ...code })
      assertPage(answer, 400, '<title>Bad Request</title>')
      assert.doesNotMatch(answer.text, /<script/)
    })
  })

  for (const client of ['https-uri', 'localhost-uri', 'scheme']) {
    test(`4 takes the address of ${client}`, async () => {
      assert.equal((await authorize(server, 'alice', { client_id: client, ...code })).status, 200)
    })
  }

  test('6.1 takes the first address when none is named, one that is encoded twice, and the other name of the parameter', async () => {
    const sent = { client_id: 'two', ...code, grant_access: '1' }
    assert.equal(placeOf(await submit(server, 'alice', sent)).host, 'first.example')
    assert.equal(placeOf(await submit(server, 'alice', { ...sent, redirect_uri: done })).host, 'app.example')
    assert.equal(placeOf(await submit(server, 'alice', { ...sent, redirect_uri: encodeURIComponent(done) })).host, 'app.example')
    assert.equal(placeOf(await submit(server, 'alice', { ...sent, redirect_uri: '', redirect_url: done })).host, 'app.example')
  })

  test('6.2 sends the person back with a code and the state, and keeps what the address has', async () => {
    const place = placeOf(await submit(server, 'alice', { client_id: 'query', ...code, state: 'a b&c', grant_access: 'yes' }))
    assert.equal(place.searchParams.get('tenant'), '7')
    assert.equal(place.searchParams.get('state'), 'a b&c')
    assert.match(place.searchParams.get('code') ?? '', /^[A-Za-z0-9]{32}$/)
  })

  test('6.2 takes the parameters from the address, too', async () => {
    const query = new URLSearchParams({ client_id: 'plain', ...code, grant_access: '1' })
    const answer = await server.as('alice').call('POST', `oauth2/authorize_submit?${query}`)
    assert.ok(placeOf(answer).searchParams.has('code'))
  })

  test('6.2 tells the program that the person refused, and stores nothing', async () => {
    const answer = await submit(server, 'alice', { client_id: 'plain', ...code, state: 's', deny_access: '1' })
    assert.equal(
      answer.headers.get('location'),
      `${done}?error=access_denied&error_description=Access+denied+by+the+user&state=s`,
    )
    assert.equal(answer.status, 302)
  })

  test('6.2 is not done by following a link', async () => {
    const answer = await server
      .as('alice')
      .call('GET', 'oauth2/authorize_submit?client_id=plain&response_type=code&grant_access=1')
    assertPage(answer, 405, 'Method Not Allowed')
    assert.match(answer.headers.get('allow') ?? '', /POST/)
  })

  test('6.1 asks nobody for a program that all trust', async () => {
    const place = placeOf(await authorize(server, 'bob', { client_id: 'trusted', ...code, state: 's' }))
    assert.ok(place.searchParams.has('code'))
    assert.equal(place.searchParams.get('state'), 's')
  })

  test('6.1 asks nobody twice, and gives the same access token again', async () => {
    await registerClient(server, 'again')
    const first = await tokenFor(server, 'bob', 'again')
    const place = placeOf(await authorize(server, 'bob', { client_id: 'again', ...code }))
    const sent = { grant_type: 'authorization_code', client_id: 'again', code: place.searchParams.get('code') ?? '' }
    const { body: second } = await present(server, sent)
    assert.equal(second.access_token, first.access_token)
    assert.equal(second.refresh_token, first.refresh_token)
    assert.equal((await authorize(server, 'alice', { client_id: 'again', ...code })).status, 200)
  })

  test('4 says so when an older server has stored a program twice, and lets nobody do so any more', async () => {
    await registerClient(server, 'double')
    const again = {
      'entity-type': 'directoryEntry',
      directoryName: 'oauth2Clients',
      properties: { clientId: 'double', name: 'x' },
    }
    const refusal = await server.as('Administrator').post('/directory/oauth2Clients', again)
    assert.equal(refusal.status, 409, refusal.text)
    await server.asSystem(async ({ tx, repository }) => {
      const definition = repository.directories.definitions.get('oauth2Clients')
      assert.ok(definition)
      const values = { id: 777, clientId: 'double', name: 'x', redirectURIs: done, enabled: true }
      await tx.directories.insert('oauth2Clients', storedEntry(definition, { id: '777', values }))
    })
    const words = 'More than one client registered for the &#39;double&#39; id'
    assertPage(await authorize(server, 'alice', { client_id: 'double', ...code }), 500, words)
    const { status, body } = await present(server, { grant_type: 'refresh_token', client_id: 'double', refresh_token: 'x' })
    assert.deepEqual(
      [status, body],
      [500, { error: 'server_error', error_description: "More than one client registered for the 'double' id" }],
    )
    await server.as('Administrator').delete('/directory/oauth2Clients/777')
  })

  test('6.3 has nothing at other addresses', async () => {
    for (const path of ['oauth2/x', 'oauth2', 'oauth2/introspect', 'oauth2/revoke', '.well-known/openid-configuration'])
      assert.equal((await server.as('alice').call('GET', path)).status, 404, path)
  })
})
