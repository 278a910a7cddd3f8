import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { requireStatus } from '../support/workbench.ts'

const parent = '/default-domain/workspaces'

describe('the console, while its server is away,', { timeout: 900_000 }, () => {
  const { journey, visit } = setStage(async (server) => {
    const note = { 'entity-type': 'document', type: 'Note', name: 'note', properties: { 'dc:title': 'A note' } }
    requireStatus(201, await server.as('Administrator').post(`/path${parent}`, note))
  })

  const away = (page: Page) => page.route(/^/, (route) => route.abort('connectionrefused'))
  const back = (page: Page) => page.unroute(/^/)
  const isDrawn = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).isVisible()

  journey('says so in the place of a tab that was never looked at, and shows it once there is an answer', async () => {
    const { page, leave } = await visit(`browse${parent}/note`)
    await settle(page)
    await away(page)
    await page.getByRole('tab', { name: 'Versions' }).click()
    const panel = page.getByRole('tabpanel')
    await panel.getByRole('alert').getByText('This part of the console did not come').waitFor()
    assert.ok(await page.getByRole('heading', { level: 1, name: 'A note' }).isVisible())
    assert.deepEqual(await findBarriers(page), [])
    await panel.getByRole('button', { name: 'Load anew' }).click()
    await page.getByRole('status').getByText('The server does not answer.').waitFor()
    await back(page)
    await panel.getByRole('button', { name: 'Load anew' }).click()
    await panel.getByRole('region', { name: 'Versions' }).waitFor()
    await leave()
  })

  journey('keeps the way to other screens, in French, and goes to one when it is asked again', async () => {
    const { page, leave } = await visit(`browse${parent}/note`, { locale: 'fr-FR' })
    await settle(page)
    await away(page)
    const navigation = page.getByRole('navigation', { name: 'Principal' })
    await navigation.getByRole('link', { name: 'Corbeille' }).click()
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Cette partie de la console n’est pas arrivée' }).waitFor()
    assert.ok(await navigation.isVisible())
    await back(page)
    await main.getByRole('button', { name: 'Recharger' }).click()
    await main.getByRole('heading', { level: 1, name: 'Corbeille' }).waitFor()
    await leave()
  })

  journey('answers keys that open something with why it does not open, and hears the next ones', async () => {
    const { page, leave } = await visit(`browse${parent}/note`)
    await settle(page)
    await away(page)
    const told = page.getByRole('status').getByText('This part of the console did not come')
    for (const keys of ['?', 'Control+k']) {
      await page.keyboard.press(keys)
      await told.waitFor()
      assert.ok(await isDrawn(page), keys)
      await page.getByRole('button', { name: 'Dismiss' }).click()
    }
    await page.keyboard.press('/')
    await page.keyboard.type('plan')
    assert.equal(await page.evaluate('document.activeElement.value'), 'plan')
    await leave()
  })

  journey('keeps what was typed and says why it was not sent', async () => {
    const { page, leave } = await visit(`browse${parent}/note`)
    await settle(page)
    await away(page)
    const remark = page.getByRole('textbox', { name: /comment/i }).first()
    await remark.fill('Is this still true?')
    await page.keyboard.press('Control+Enter')
    await page.getByText('The server does not answer. Check the network, then try again.').waitFor()
    assert.equal(await remark.inputValue(), 'Is this still true?')
    await leave()
  })

  journey('goes to a screen of the console that the server has by now', async () => {
    const { page, leave } = await visit(`browse${parent}/note`)
    await settle(page)
    await page.route(/\/assets\/trash-page/, (route) => route.fulfill({ status: 404 }))
    const loaded = page.waitForEvent('load')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    await loaded
    await page.getByRole('button', { name: 'Load anew' }).waitFor()
    await page.unroute(/\/assets\/trash-page/)
    await page.getByRole('button', { name: 'Load anew' }).click()
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
    await leave()
  })
})
