import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { findBarriers, setStage } from '../support/browser.ts'

const desk = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 640 } }

describe('security 2.5 a person with a browser', { timeout: 120_000 }, () => {
  const stage = setStage((server) => server.addUser('alice'))
  const { journey } = stage

  /** Goes to an address of the server in a window of its own, which nobody has signed in in. */
  async function open(address: string, looks: BrowserContextOptions = desk): Promise<Page> {
    const page = await stage.openWindow(looks)
    await page.goto(`${stage.server.url}${address}`)
    return page
  }

  async function signIn(page: Page, user: string, password = user): Promise<void> {
    await page.fill('#username', user)
    await page.fill('#password', password)
    await page.click('button[name=Submit]')
  }

  journey('sees a page that fits the screen, light and dark, in both languages', async () => {
    // A browser gives the focus with the next frame that it draws, which may be after all is loaded.
    await (await open('login.jsp')).locator('#username:focus').waitFor()
    const failed = await open('login.jsp?loginFailed=true&user_name=alice&language=fr')
    await failed.locator('#password:focus').waitFor()
    assert.equal(await failed.getAttribute('html', 'lang'), 'fr')
    const dark = await open('login.jsp?nxtimeout=true', { ...phone, colorScheme: 'dark' })
    assert.equal(await dark.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.equal(await dark.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor"), 'rgb(20, 23, 28)')
  })

  journey('finds no barrier on any page, light or dark, with whatever message', async () => {
    const addresses = [
      'login.jsp',
      'login.jsp?loginFailed=true&user_name=alice&language=fr',
      'login.jsp?nxtimeout=true',
      'home.html',
    ]
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const address of addresses)
        assert.deepEqual(await findBarriers(await open(address, { ...desk, colorScheme })), [], `${address}, ${colorScheme}`)
    }
  })

  journey('signs in on the way to a question for consent, which has no barrier either', async () => {
    const client = { id: 'reports', name: 'Monthly reports', redirectURIs: ['https://reports.example.com/'], isEnabled: true }
    await stage.server.as('Administrator').post('/oauth2/client', { 'entity-type': 'oauth2Client', ...client })
    const page = await open('oauth2/authorize?client_id=reports&response_type=code')
    await signIn(page, 'alice')
    await page.getByText('Monthly reports').first().waitFor()
    await page.setViewportSize(phone.viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await findBarriers(page), [], colorScheme)
    }
  })

  journey('is told what is wrong, and then led back to the page that was asked for, with its fragment', async () => {
    const address = 'nxfile/default/1234/file:content?x=1#/tab/2?a=b'
    const page = await open(address)
    await signIn(page, 'alice', 'wrong')
    await page.locator('.problem').waitFor()
    assert.equal(await page.inputValue('#username'), 'alice')
    await page.fill('#password', 'alice')
    await page.click('button[name=Submit]')
    await page.waitForURL(`${stage.server.url}${address}`)
    assert.equal(await page.evaluate('document.cookie'), '')
  })

  journey('changes the password, stays signed in and signs out', async () => {
    await stage.server.addUser('carol')
    const page = await open('login.jsp?requestedUrl=home.html')
    await signIn(page, 'carol')
    await page.locator('a[href$=logout]').waitFor()
    assert.equal(await page.evaluate("fetch('/api/v1/me').then(() => 'loaded', () => 'refused')"), 'refused')
    // The pages of sign-in load nothing at all, so a script of another page has to ask.
    await page.goto(`${stage.server.url}api/v1/me`)
    const status = await page.evaluate(`fetch('/api/v1/me/changepassword', {
      method: 'PUT', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ oldPassword: 'carol', newPassword: 'another' }),
    }).then(({ status }) => status)`)
    assert.equal(status, 200)
    assert.equal(await page.evaluate("fetch('/api/v1/me').then(({ status }) => status)"), 200)
    await page.goto(`${stage.server.url}home.html`)
    await page.click('a[href$=logout]')
    await page.locator('#username').waitFor()
    await page.goto(`${stage.server.url}startup`)
    await signIn(page, 'carol', 'another')
    await page.waitForURL((url) => !url.pathname.endsWith('/startup') && !url.pathname.endsWith('/login.jsp'))
  })

  journey('is signed out elsewhere', async () => {
    await stage.server.addUser('dave')
    const page = await open('login.jsp?requestedUrl=home.html')
    await signIn(page, 'dave')
    await page.locator('a[href$=logout]').waitFor()
    assert.equal((await stage.server.as('Administrator').delete('/session?user=dave')).status, 204)
    await page.goto(`${stage.server.url}startup`)
    await page.locator('#username').waitFor()
  })

  journey('signs in without scripts', async () => {
    const page = await open('nxfile/default/1234/file:content', { ...desk, javaScriptEnabled: false })
    await signIn(page, 'alice')
    await page.waitForURL(`${stage.server.url}nxfile/default/1234/file:content`)
  })
})
