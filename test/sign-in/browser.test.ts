import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type BrowserTab, chromium, openTab } from '../support/chromium.ts'

const skip = chromium === undefined ? 'there is no Chromium on this machine; name one with QUIRE_TEST_CHROMIUM' : false

describe('security 2.5 a person with a browser', { skip, timeout: 120_000 }, () => {
  let server: TestServer
  let tab: BrowserTab
  let pictures: string
  before(async () => {
    pictures = process.env['QUIRE_TEST_PICTURES'] ?? (await mkdtemp(join(tmpdir(), 'quire-pictures-')))
    server = await startTestServer()
    await server.addUser('alice')
    tab = await openTab(chromium ?? '')
  })
  after(async () => {
    await tab?.close()
    await server?.stop()
    if (process.env['QUIRE_TEST_PICTURES'] === undefined) await rm(pictures, { recursive: true })
  })
  const picture = (name: string) => tab.shoot(join(pictures, `${name}.png`))

  /** What the rules for accessible pages say against the page, in words to find it by. */
  async function findBarriers(): Promise<unknown> {
    await tab.evaluate(await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
    return tab.evaluate(`axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
  }

  async function signIn(user: string, password = user): Promise<void> {
    await tab.type('#username', user)
    await tab.type('#password', password)
    await tab.click('button[name=Submit]')
  }

  test('sees a page that fits the screen, light and dark, in both languages', async () => {
    await tab.resize({ width: 1280, height: 800 })
    await tab.open(`${server.url}login.jsp`)
    await picture('sign-in')
    assert.equal(await tab.evaluate('document.activeElement.id'), 'username')
    await tab.open(`${server.url}login.jsp?loginFailed=true&user_name=alice&language=fr`)
    await picture('sign-in-failed-fr')
    assert.equal(await tab.evaluate('document.activeElement.id'), 'password')
    await tab.resize({ width: 360, height: 640, isDark: true })
    await tab.open(`${server.url}login.jsp?nxtimeout=true`)
    await picture('sign-in-phone-dark')
    assert.equal(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.equal(await tab.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor"), 'rgb(20, 23, 28)')
  })

  test('finds no barrier on any page, light or dark, with whatever message', async () => {
    const pages = ['login.jsp', 'login.jsp?loginFailed=true&user_name=alice&language=fr', 'login.jsp?nxtimeout=true', 'home.html']
    for (const isDark of [false, true]) {
      await tab.resize({ width: 1280, height: 800, isDark })
      for (const page of pages) {
        await tab.open(`${server.url}${page}`)
        assert.deepEqual(await findBarriers(), [], `${page}${isDark ? ', dark' : ''}`)
      }
    }
  })

  test('signs in on the way to a question for consent, which has no barrier either', async () => {
    const client = { id: 'reports', name: 'Monthly reports', redirectURIs: ['https://reports.example.com/'], isEnabled: true }
    await server.as('Administrator').post('/oauth2/client', { 'entity-type': 'oauth2Client', ...client })
    await tab.open(`${server.url}oauth2/authorize?client_id=reports&response_type=code`)
    await tab.until("document.querySelector('#username') !== null")
    await signIn('alice')
    await tab.until("document.body.textContent.includes('Monthly reports')")
    await picture('consent')
    for (const isDark of [false, true]) {
      await tab.resize({ width: 360, height: 640, isDark })
      assert.deepEqual(await findBarriers(), [])
    }
    await tab.open(`${server.url}logout`)
  })

  test('is told what is wrong, and then led back to the page that was asked for, with its fragment', async () => {
    await tab.resize({ width: 1280, height: 800 })
    await tab.open(`${server.url}nxfile/default/1234/file:content?x=1#/tab/2?a=b`)
    await tab.until("document.querySelector('#username') !== null")
    await signIn('alice', 'wrong')
    await tab.until("document.querySelector('.problem') !== null")
    assert.equal(await tab.evaluate("document.querySelector('#username').value"), 'alice')
    await tab.type('#password', 'alice')
    await tab.click('button[name=Submit]')
    await tab.until("location.pathname.startsWith('/nxfile/')")
    assert.equal(await tab.evaluate('location.href'), `${server.url}nxfile/default/1234/file:content?x=1#/tab/2?a=b`)
    assert.equal(await tab.evaluate('document.cookie'), '')
  })

  test('changes the password, stays signed in and signs out', async () => {
    await tab.open(`${server.url}home.html`)
    await picture('home')
    assert.equal(await tab.evaluate("fetch('/api/v1/me').then(() => 'loaded', () => 'refused')"), 'refused')
    // The pages of sign-in load nothing at all, so a script of another page has to ask.
    await tab.open(`${server.url}api/v1/me`)
    const status = await tab.evaluate(`fetch('/api/v1/me/changepassword', {
      method: 'PUT', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ oldPassword: 'alice', newPassword: 'another' }),
    }).then(({ status }) => status)`)
    assert.equal(status, 200)
    assert.equal(await tab.evaluate("fetch('/api/v1/me').then(({ status }) => status)"), 200)
    await tab.open(`${server.url}home.html`)
    await tab.click('a[href$=logout]')
    await tab.until("document.querySelector('#username') !== null")
    await tab.open(`${server.url}startup`)
    await tab.until("document.querySelector('#username') !== null")
  })

  test('is signed out elsewhere', async () => {
    await tab.open(`${server.url}login.jsp`)
    await signIn('alice', 'another')
    await tab.until("document.body.textContent.includes('alice')")
    assert.equal((await server.as('Administrator').delete('/session?user=alice')).status, 204)
    await tab.open(`${server.url}startup`)
    await tab.until("document.querySelector('#username') !== null")
  })

  test('signs in without scripts', async () => {
    await tab.resize({ width: 1280, height: 800, hasScripts: false })
    await tab.open(`${server.url}nxfile/default/1234/file:content`)
    await tab.until("document.querySelector('#username') !== null")
    await signIn('alice', 'another')
    await tab.until("location.pathname.startsWith('/nxfile/')")
  })
})
