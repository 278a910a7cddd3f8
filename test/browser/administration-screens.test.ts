import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PermanentFailure } from '../../src/core/jobs/worker.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { administrationCalls, administrationScreens, bodyOf } from '../support/administration.ts'
import { untilIdle } from '../support/background.ts'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { prepareDesk } from '../support/console-desk.ts'
import { showScreen } from '../support/console-screens.ts'

let isMended = false
/** Fails until it is mended. */
const brittle = definePlugin({
  name: 'brittle',
  jobs: [
    {
      kind: 'brittle.work',
      async run() {
        if (!isMended) throw new PermanentFailure('the wheel is off')
      },
    },
  ],
})

describe('the screens of the administration', { timeout: 240_000 }, () => {
  const stage = setStage(prepareDesk, { plugins: [brittle] })
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')

  // All of them in every mode and width: `npm run stress -- console-screens`.
  for (const [colorScheme, width, locale] of [
    ['light', 1440, 'en-US'],
    ['dark', 390, 'fr-FR'],
  ] as const) {
    journey(`have no barrier and fit, in ${colorScheme} colours, ${width} wide, in the language ${locale}`, async () => {
      const { page, complaints, leave } = await visit('', { colorScheme, viewport: { width, height: 844 }, locale })
      for (const screen of administrationScreens) {
        await showScreen(page, `${stage.server.url}ui/`, screen)
        assert.deepEqual(await findBarriers(page), [], screen.name)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, screen.name)
      }
      assert.deepEqual(complaints, [])
      await leave()
    })
  }

  journey('are not there for an ordinary user, at any of their addresses, and nothing is asked for', async () => {
    const { page, leave } = await visit('admin', { user: 'alice' })
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const { address } of administrationScreens) {
      await page.goto(`${stage.server.url}ui/${address}`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    }
    assert.deepEqual(
      asked.filter((path) => /\/api\/v1\/(?!me(?:\/|$)|console$|events$|task$)/.test(path)),
      [],
    )
    await leave()
  })

  test('ask for nothing that an ordinary user gets', async () => {
    for (const call of administrationCalls) {
      const { status } = await stage.server.as('alice').call(call.method, `api/v1${call.path}`, {
        headers: { 'content-type': 'application/json' },
        ...bodyOf(call),
      })
      assert.equal(status, 403, `${call.method} ${call.path}`)
    }
  })

  journey('show what was given up and why, try it again and forget it', async () => {
    for (let count = 0; count < 2; count += 1)
      await stage.server.asSystem(({ tx }) => tx.jobs.add('brittle.work', {}, { owner: 'alice' }))
    await untilIdle(stage.server)
    const { page, complaints, leave } = await visit('admin/jobs?state=parked')
    const { resultsCount, parked } = (await admin().get('/management/jobs?state=parked')).body
    assert.equal(resultsCount, 2)
    await page.getByText('2 jobs').waitFor()
    await page.getByText(`Given up: ${parked}`).waitFor()
    const rows = page.getByRole('row', { name: /brittle\.work.*Alice Martin.*the wheel is off/ })
    assert.equal(await rows.count(), 2)
    isMended = true
    await rows
      .first()
      .getByRole('button', { name: /Try again/ })
      .click()
    await page.getByText('1 job', { exact: true }).waitFor()
    await rows
      .first()
      .getByRole('button', { name: /Forget/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await page.getByText('Nothing is left to be done').waitFor()
    assert.equal((await admin().get('/management/jobs?state=parked')).body.parked, 0)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('are walked through by Tab past their lists, whose rows are opened by Enter', async () => {
    const { page, leave } = await visit('admin/audit?kind=documentCreated')
    for (const [address, path] of [
      ['admin/users', '/ui/admin/users/'],
      ['admin/types', '/ui/admin/types/'],
      ['admin/vocabularies', '/ui/admin/vocabularies/'],
      ['admin/audit?kind=documentCreated', '/ui/browse/'],
      ['admin/permissions?kind=person&user=alice', '/ui/admin/permissions?kind=document'],
    ] as const) {
      await page.goto(`${stage.server.url}ui/${address}`)
      const grid = page.getByRole('grid')
      await grid.getByRole('gridcell').first().waitFor()
      await settle(page)
      await grid.focus()
      await page.keyboard.press('Tab')
      assert.equal(await grid.locator(':focus').count(), 0, address)
      await grid.focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(path) && !url.href.endsWith(address))
    }
    await leave()
  })

  journey('give the log all of a high window, and its moments the room that they take', async () => {
    const { page, leave } = await visit('admin/audit', { viewport: { width: 1440, height: 1400 } })
    const moment = page.getByRole('row').nth(1).getByRole('gridcell').first()
    await moment.waitFor()
    await settle(page)
    const box = await page.getByRole('grid').boundingBox()
    assert.ok(box !== null && box.y + box.height > 1380, `the list ends at ${box && box.y + box.height}`)
    const isWhole = await moment.evaluate(
      (cell: { scrollWidth: number; clientWidth: number }) => cell.scrollWidth <= cell.clientWidth,
    )
    assert.ok(isWhole, (await moment.textContent()) ?? '')
    await leave()
  })

  journey('show the audit as it is, by day and by kind, kept to what is asked for', async () => {
    const counts = (await admin().get('/management/audit/counts?eventId=documentCreated')).body
    const { page, complaints, leave } = await visit('admin/audit?kind=documentCreated')
    await page.getByText(`${counts.total} entries in these days`).waitFor()
    await page.getByText(`${counts.total} entries`, { exact: true }).waitFor()
    const days = page.getByRole('list', { name: 'By day' })
    for (const { count } of counts.days)
      await days
        .getByText(new RegExp(`: ${count}$`))
        .first()
        .waitFor({ state: 'attached' })
    const kinds = page.getByRole('list', { name: 'By kind' })
    await kinds
      .getByRole('listitem')
      .filter({ hasText: `Created${counts.total}` })
      .waitFor()
    await page.getByLabel('What happened').selectOption({ label: 'Anything' })
    const all = (await admin().get('/management/audit/counts')).body
    await page.getByText(`${all.total} entries in these days`).waitFor()
    await page.getByLabel('Who (user name)').fill('nobody')
    await page.getByText('Nothing like that happened').waitFor()
    const link = await page.getByRole('link', { name: 'Export as CSV' }).getAttribute('href')
    assert.match(link ?? '', /management\/audit\/export\?principalName=nobody/)
    assert.deepEqual(complaints, [])
    await leave()
  })
})
