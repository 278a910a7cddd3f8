import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'

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

onEachServer('security 2.10 without an anonymous user', (server) => {
  test('who has no credentials is nobody', async () => {
    assert.equal((await fetch(new URL('json/cmis', server.url))).status, 401)
  })
})
