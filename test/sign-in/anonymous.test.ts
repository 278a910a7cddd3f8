import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { issueJwt } from '../../src/features/jwt/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { signing } from '../support/oauth1.ts'
import { callAs, present, storeBearerToken, storedTokens } from '../support/oauth2.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  'security 2.10 the anonymous user',
  (server) => {
    let hidden = ''
    before(async () => {
      const note = { 'entity-type': 'document', type: 'Note', name: 'note', properties: { 'dc:title': 'note' } }
      const made = await server.as('Administrator').post('/path/default-domain', note)
      hidden = made.body.uid
    })
    const get = (path: string, headers: { [name: string]: string } = {}) =>
      fetch(new URL(path, server.url), { headers, redirect: 'manual' })

    test('is who has no credentials, outside of the API', async () => {
      assert.equal((await get('json/cmis')).status, 200)
      assert.equal((await get('api/v1/me')).status, 401)
      assert.equal((await get('site/automation/login')).status, 401)
    })
    test('never signs in with a password', async () => {
      const authorization = `Basic ${Buffer.from('Guest:Guest').toString('base64')}`
      assert.equal((await get('json/cmis', { authorization })).status, 401)
    })
    test('is nobody who is about to sign in', async () => {
      assert.equal((await get('json/cmis?forceAnonymousLogin=true')).status, 401)
    })
    test('has no tokens', async () => {
      const answer = await get('authentication/token?applicationName=a&deviceId=d&permission=r')
      assert.equal(answer.status, 401)
    })
    test('who may not see a page is led to the sign-in, and a program is told no', async () => {
      const path = `nxfile/default/${hidden}/note:note?x=1&y=%2F`
      const page = await get(path, { accept: 'text/html,*/*' })
      assert.equal(page.status, 302)
      const target = new URL(page.headers.get('location') ?? '')
      assert.equal(target.href.split('?')[0], `${server.url}logout`)
      assert.deepEqual(Object.fromEntries(target.searchParams), {
        forceAnonymousLogin: 'true',
        securityError: 'true',
        requestedUrl: path,
      })
      assert.equal((await get(path)).status, 401)
      const script = await get(path, { accept: 'text/html', 'x-requested-with': 'XMLHttpRequest' })
      assert.equal(script.status, 401)
    })
  },
  { settings: { userAnonymousEnable: true } },
)

const signedChain = ['AUTOMATION_BASIC_AUTH', 'TOKEN_AUTH', 'OAUTH1_AUTH', 'OAUTH2_AUTH', 'JWT_AUTH']

onEachServer(
  'security 2.10 for the anonymous user no program acts:',
  (server) => {
    const admin = () => server.as('Administrator')
    const add = async (directoryName: string, properties: object) => {
      const entry = { 'entity-type': 'directoryEntry', directoryName, properties }
      const made = await admin().post(`/directory/${directoryName}`, entry)
      assert.equal(made.status, 201, made.text)
    }
    before(async () => {
      await server.addUser('alice')
      await add('oauthConsumers', { consumerKey: 'app', consumerSecret: 'app secret', callbackURL: 'https://app.example/' })
    })
    const send = (method: string, path: string, headers: { [name: string]: string } = {}, body?: URLSearchParams) =>
      fetch(new URL(path, server.url), { method, headers, redirect: 'manual', ...(body !== undefined && { body }) })
    const asked = new URLSearchParams({ client_id: 'platform-mobile', response_type: 'code', state: 's' })
    const requestToken = async () => {
      const url = new URL('oauth/request-token', server.url).href
      const answer = await fetch(url, { headers: { authorization: signing('GET', url) } })
      const sent = new URLSearchParams(await answer.text())
      return { token: sent.get('oauth_token') ?? '', tokenSecret: sent.get('oauth_token_secret') ?? '' }
    }

    test('who asks to let one act is led to the sign-in, and from there back', async () => {
      const page = await send('GET', `oauth2/authorize?${asked}`, { accept: 'text/html' })
      assert.equal(page.status, 401)
      const text = await page.text()
      const back = `login.jsp?${new URLSearchParams({ requestedUrl: `oauth2/authorize?${asked}` })}`
      assert.ok(text.includes(back.replaceAll('&', '&amp;')), text)
      const signedIn = await server.as('alice').call('GET', `oauth2/authorize?${asked}`)
      assert.match(signedIn.headers.get('location') ?? '', /^platform:\/\/authorize\?code=\w{32}&state=s$/)
    })
    test('nothing is granted, whatever is sent and however', async () => {
      const submitted = new URLSearchParams([...asked, ['grant_access', '1']])
      const { token } = await requestToken()
      const cookie = { cookie: 'JSESSIONID=none; X-Authentication-Token=none' }
      for (const headers of [{}, { accept: 'text/html' }, { accept: 'application/json' }, cookie]) {
        const answers = await Promise.all([
          send('GET', `oauth2/authorize?${asked}`, headers),
          send('POST', 'oauth2/authorize_submit', headers, submitted),
          send('POST', `oauth2/authorize_submit?${submitted}`, headers),
          send('GET', `oauthGrant.jsp?oauth_token=${token}`, headers),
          send('POST', 'oauth/authorize', headers, new URLSearchParams({ oauth_token: token })),
          send('GET', 'authentication/token?applicationName=a&deviceId=d&permission=r', headers),
          send('POST', 'api/v1/token?application=a&deviceId=d&permission=r', headers),
        ])
        for (const answer of answers) {
          assert.equal(answer.status, 401, answer.url)
          assert.doesNotMatch(answer.headers.get('location') ?? '', /code=|oauth_verifier=/)
        }
      }
      assert.deepEqual(await storedTokens(server), [])
    })
    test('no token of it lets anybody in, whoever stored it', async () => {
      assert.equal((await callAs(server, await storeBearerToken(server, 'Guest'))).status, 401)
      const refreshed = await present(server, {
        grant_type: 'refresh_token',
        client_id: 'platform-mobile',
        refresh_token: 'refresh-of-Guest',
      })
      assert.deepEqual([refreshed.status, refreshed.body.error], [400, 'invalid_grant'])
      await add('oauthTokens', {
        token: 'NX-AT-guest',
        tokenSecret: 'secret',
        consumerKey: 'app',
        platformLogin: 'Guest',
        durationInMinutes: 0,
        creationDate: new Date().toISOString(),
      })
      const url = new URL('api/v1/me', server.url).href
      const authorization = signing('GET', url, { token: 'NX-AT-guest', tokenSecret: 'secret' })
      assert.equal((await send('GET', 'api/v1/me', { authorization })).status, 401)
    })
    test('no partner vouches for it', async () => {
      const assertion = await issueJwt(server.services, { user: 'Guest' })
      const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_id: 'platform-mobile', assertion }
      const { status, body } = await present(server, grant)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
      assert.equal((await callAs(server, assertion)).status, 401)
    })
  },
  {
    settings: {
      userAnonymousEnable: true,
      jwtSecret: 'a secret that a partner has',
      authChainRestapi: signedChain,
    },
  },
)

onEachServer(
  'security 2.10 where the REST API is open to the anonymous user',
  (server) => {
    const bench = workbenchOn(server)
    test('adapters 5.3 a comment of one who did not sign in is nobody’s to change: they all have one name', async () => {
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant('Guest', 'Read'))
      const send = (method: string, path: string, body?: object) =>
        fetch(new URL(`api/v1${path}`, server.url), {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      const comment = { 'entity-type': 'comment', parentId: uid, text: 'by whom?' }
      const made = await send('POST', `/id/${uid}/@comment`, comment)
      assert.equal(made.status, 201)
      const { id, author } = (await made.json()) as { id: string; author: string }
      assert.equal(author, 'Guest')
      assert.equal((await send('PUT', `/id/${uid}/@comment/${id}`, { ...comment, id, text: 'me' })).status, 403)
      assert.equal((await send('DELETE', `/id/${uid}/@comment/${id}`)).status, 403)
    })
  },
  { settings: { userAnonymousEnable: true, authChainRestapi: ['AUTOMATION_BASIC_AUTH', 'ANONYMOUS_AUTH'] } },
)

onEachServer('security 2.10 without an anonymous user', (server) => {
  test('who has no credentials is nobody', async () => {
    assert.equal((await fetch(new URL('json/cmis', server.url))).status, 401)
  })
})
