import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import invoices from '../../examples/invoices/invoices.ts'
import { defineDocumentType, definePlugin, defineSchema, list, string } from '../../src/index.ts'
import { untilIdle } from '../support/background.ts'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { office, prepareOffice } from '../support/console-office.ts'
import { brokenPieces } from '../support/console-pieces/plugin.ts'
import { requireStatus } from '../support/workbench.ts'

const cases = definePlugin({
  name: 'cases',
  schemas: [
    defineSchema('case', {
      prefix: 'case',
      fields: {
        contract: string({ resolver: { kind: 'document', store: 'id', validation: true } }),
        evidence: list(string({ resolver: { kind: 'document', store: 'pathOnly', validation: false } })),
      },
    }),
  ],
  documentTypes: [defineDocumentType('Case', { extends: 'File', schemas: ['case'] })],
  documentTypeAdditions: [{ type: 'Workspace', subtypes: ['Case'] }],
})

describe('what plugins add to the console', { timeout: 240_000 }, () => {
  const stage = setStage(prepareOffice, { plugins: [invoices, brokenPieces, cases] })
  const { journey, visit } = stage
  const invoiceAt = async (name: string) =>
    (await stage.server.as('Administrator').get(`/path${office}/${name}`, { properties: '*' })).body

  /** In both modes, as they change before one's eyes. */
  const findBarriersInBothModes = async (page: Page) => {
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await settle(page)
      found.push(...(await findBarriers(page)).map((barrier) => `${colorScheme}: ${barrier}`))
    }
    return found
  }

  journey('a form is laid out as its plugin says, with its own widget, hints and conditions', async () => {
    const { page, complaints, leave } = await visit(`browse${office}/may`, { user: 'bob' })
    await page.getByRole('button', { name: 'Edit' }).click()
    const group = page.getByRole('group', { name: 'Invoice', exact: true })
    const amount = group.getByLabel('Amount *')
    await amount.waitFor()
    await page.getByText('$7.00').waitFor()
    await page.getByText('Given by the server unless you know better.').waitFor()
    // Of a foreign currency more is asked, as long as it stands there.
    const foreign = page.getByRole('group', { name: 'Foreign currency' })
    await foreign.getByLabel('Source').waitFor()
    await group.getByLabel('Currency').fill('EUR')
    await page.getByText('€7.00').waitFor()
    assert.equal(await foreign.count(), 0)
    await amount.fill('')
    await amount.pressSequentially('99.5')
    await page.getByText('€99.50').waitFor()
    assert.deepEqual(await findBarriersInBothModes(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    assert.equal((await invoiceAt('may')).properties['inv:amount'], 99.5)
    // What the server says against a value is said by the widget.
    await page.getByRole('button', { name: 'Edit' }).click()
    await amount.fill('-1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForFunction("document.querySelector('[data-width=half] div > *')?.shadowRoot?.querySelector('.late') !== null")
    assert.equal((await invoiceAt('may')).properties['inv:amount'], 99.5)
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes('400')),
      [],
    )
    await leave()
  })

  journey('a field that names a document shows its title, is chosen by it, and keeps what one may not see', async () => {
    const admin = stage.server.as('Administrator')
    const { uid: march } = await invoiceAt('march')
    const hidden = '00000000-0000-4000-8000-000000000000'
    const properties = { 'case:contract': `default:${march}`, 'case:evidence': [`${office}/april`, `/${hidden}`] }
    const document = {
      'entity-type': 'document',
      type: 'Case',
      name: 'case',
      properties: { 'dc:title': 'The case', ...properties },
    }
    requireStatus(201, await admin.post(`/path${office}`, document))
    const { page, leave } = await visit(`browse${office}/case`, { user: 'bob' })
    await page.getByRole('link', { name: 'March' }).waitFor()
    await page.getByRole('link', { name: 'April' }).waitFor()
    await page.getByText(`/${hidden}`).waitFor()
    assert.equal(await page.getByText(march).count(), 0)
    await page.getByRole('main').getByRole('button', { name: 'Edit' }).click()
    const field = page.getByRole('group', { name: 'Contract' })
    await field.getByText('March').waitFor()
    assert.deepEqual(await findBarriersInBothModes(page), [])
    await field.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('combobox', { name: 'Contract' }).fill('memo')
    await page.getByRole('option', { name: /^Memo/ }).getByText('Domain › Workspaces › Office').waitFor()
    await page.getByRole('option', { name: /^Memo/ }).click()
    await field.getByText('Memo').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Memo' }).waitFor()
    assert.equal((await invoiceAt('case')).properties['case:contract'], `default:${(await invoiceAt('memo')).uid}`)
    await page.getByRole('main').getByRole('button', { name: 'Edit' }).click()
    await field.getByRole('button', { name: 'Clear' }).click()
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await save.waitFor({ state: 'detached' })
    assert.equal((await invoiceAt('case')).properties['case:contract'], null)
    requireStatus(204, await admin.delete(`/path${office}/case`))
    await leave()
  })

  journey('a list has the columns of a plugin, which are sorted by, and taken away for good', async () => {
    const { page, complaints, leave } = await visit(`browse${office}`, { user: 'bob' })
    const grid = page.getByRole('grid')
    await grid.getByRole('columnheader', { name: 'Customer' }).waitFor()
    await grid.getByRole('gridcell', { name: '1,200.5' }).waitFor()
    await grid.getByRole('gridcell', { name: 'Mar 31, 2001' }).waitFor()
    await grid.getByRole('button', { name: 'Amount' }).click()
    await page.waitForURL(/sort=inv(:|%3A)amount/)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Customer' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await grid.getByRole('columnheader', { name: 'Amount' }).waitFor()
    assert.equal(await grid.getByRole('columnheader', { name: 'Customer' }).count(), 0)
    assert.deepEqual(await findBarriersInBothModes(page), [])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a tab of a plugin acts with the rights of whoever looks, and survives a reload', async () => {
    const { page, complaints, leave } = await visit(`browse${office}/april`, { user: 'bob' })
    await page.getByRole('tab', { name: 'Payment' }).click()
    await page.getByRole('heading', { name: '€80.00' }).waitFor()
    await page.getByRole('link', { name: 'March' }).waitFor()
    assert.match(page.url(), /tab=invoices\.payment/)
    assert.deepEqual(await findBarriersInBothModes(page), [])
    await page.reload()
    await page.getByRole('tabpanel', { name: 'Payment' }).getByRole('button', { name: 'Mark as paid' }).click()
    await page.getByText('This invoice is paid.').waitFor()
    assert.equal((await invoiceAt('april')).state, 'paid')
    // A link of a component leads on without loading the console anew.
    await page.evaluate('globalThis.isSamePage = true')
    await page.getByRole('link', { name: 'March' }).click()
    await page.getByRole('heading', { name: 'March', level: 1 }).waitFor()
    assert.equal(await page.evaluate('globalThis.isSamePage'), true)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('an action of a plugin is offered for what it is for, and runs on all that is selected', async () => {
    const { page, complaints, leave } = await visit(`browse${office}`, { user: 'bob' })
    const select = async (title: string) => page.getByRole('row', { name: title }).click({ modifiers: ['Control'] })
    await select('March')
    await page.getByRole('toolbar').getByRole('button', { name: 'Mark as paid' }).waitFor()
    await select('Memo')
    await page.getByText('2 selected').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Mark as paid' }).count(), 0)
    await select('Memo')
    await select('May')
    await page.getByRole('toolbar').getByRole('button', { name: 'Mark as paid' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark as paid' })
    await dialog.getByText('Mark these 2 invoices as paid?').waitFor()
    assert.deepEqual(await findBarriersInBothModes(page), [])
    await dialog.getByRole('button', { name: 'Mark as paid' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Mark as paid (2)').waitFor()
    await untilIdle(stage.server)
    assert.deepEqual([(await invoiceAt('march')).state, (await invoiceAt('may')).state], ['paid', 'paid'])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a page of a plugin has a place in the navigation, in the language of the user', async () => {
    const late = { 'entity-type': 'document', type: 'Invoice', name: 'june' }
    const properties = { 'dc:title': 'June', 'inv:customer': 'Acme', 'inv:amount': 15, 'inv:due': '2001-06-30T00:00:00.000Z' }
    requireStatus(201, await stage.server.as('Administrator').post(`/path${office}`, { ...late, properties }))
    const { page, complaints, leave } = await visit('', { user: 'bob', locale: 'fr-FR' })
    await page.getByRole('navigation').getByRole('link', { name: 'Factures en retard' }).click()
    await page.getByRole('heading', { name: 'Factures en retard' }).waitFor()
    await page.getByRole('row', { name: /June Acme 30 juin 2001 15,00/ }).waitFor()
    assert.match(page.url(), /\/ui\/plugins\/invoices\/late/)
    assert.deepEqual(await findBarriersInBothModes(page), [])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Plus' }).click()
    await page.getByRole('menuitem', { name: 'Factures en retard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${stage.server.url}ui/plugins/invoices/nowhere`)
    await page.getByRole('heading', { name: 'Cette page n’existe pas' }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a document with mandatory properties is created in the form of its plugin', async () => {
    const { page, complaints, leave } = await visit(`browse${office}`, { user: 'bob' })
    await page.getByRole('button', { name: 'New', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').selectOption('Invoice')
    await dialog.getByLabel('Title').fill('July')
    await dialog.getByLabel('Customer').fill('Cargo')
    await dialog.getByLabel('Amount *').fill('31')
    await dialog.getByText('€31.00').waitFor()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { properties } = await invoiceAt('July')
    assert.deepEqual([properties['inv:customer'], properties['inv:amount'], properties['inv:currency']], ['Cargo', 31, 'EUR'])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a component that fails, in whichever way, does so in its place, and the page stays usable', async () => {
    const { page, leave } = await visit(`browse${office}/march`, { user: 'bob' })
    const failures = {
      'throws-loading': 'thrown while loading',
      'throws-constructing': 'thrown while constructing',
      'throws-handed': 'thrown when handed',
      'throws-connected': 'thrown when connected',
      'no-element': 'The default export of its file is no class that extends HTMLElement.',
    }
    for (const [tab, sentence] of Object.entries(failures)) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('alert').getByText(sentence).waitFor()
      assert.equal(await page.getByRole('heading', { name: 'March', level: 1 }).count(), 1, tab)
    }
    assert.deepEqual(await findBarriersInBothModes(page), [])
    await page.getByRole('tab', { name: 'fails-once' }).click()
    await page.getByRole('alert').getByText('not yet').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('It works now.').waitFor()
    await page.getByRole('tab', { name: 'Permissions' }).click()
    await page.getByRole('tabpanel', { name: 'Permissions' }).getByRole('heading').first().waitFor()
    await page.getByRole('button', { name: 'Break' }).click()
    const dialog = page.getByRole('dialog', { name: 'Break' })
    await dialog.getByRole('alert').getByText('thrown while loading').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // A form stays one that can be filled in and saved.
    await page.goto(`${stage.server.url}ui/browse${office}/memo`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('alert').getByText('thrown when handed').waitFor()
    await page.getByLabel('Title').fill('Memo of June')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Memo of June', level: 1 }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Broken page' }).click()
    await page.getByRole('alert').getByText('thrown when connected').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await leave()
  })

  journey('a component that was made for the first version is handed all of it, and fails only when it says so', async () => {
    const { page, leave } = await visit(`browse${office}/march?tab=broken.first-version`, { user: 'bob', colorScheme: 'dark' })
    const facts = JSON.parse((await page.locator('pre').textContent()) ?? '{}')
    assert.deepEqual(facts, {
      version: true,
      user: 'bob',
      name: 'bob',
      isAdministrator: false,
      title: 'March',
      uid: true,
      amount: 1200.5,
      mode: 'dark',
      density: 'comfortable',
      language: 'en',
      address: '/ui/doc/x%20y',
      page: '/ui/plugins/invoices/late/a/b',
    })
    for (const [button, said] of [
      ['Say it', 'Said by the first version'],
      ['Complain', 'Complained by the first version'],
      ['Ask', 'Refused with 404'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByText(said).waitFor()
    }
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'Fail' }).click()
    await page.getByRole('alert').getByText('It gave up by itself').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Late invoices' }).waitFor()
    await leave()
  })

  journey('a server that cannot tell what there is leaves the console as it is', async () => {
    const { page, leave } = await visit(`browse${office}`, { user: 'bob' })
    await page.route(
      (url) => url.pathname.endsWith('/api/v1/console'),
      (route) => route.fulfill({ status: 500, json: { message: 'This fails on purpose.' } }),
    )
    await page.goto(`${stage.server.url}ui/browse${office}/march`)
    await page.getByRole('heading', { name: 'March', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Customer').waitFor()
    await leave()
  })
})
