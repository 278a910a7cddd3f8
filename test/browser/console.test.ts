import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { findBarriers, setStage } from '../support/browser.ts'

describe('the console', { timeout: 240_000 }, () => {
  const stage = setStage(async (server) => {
    await server.addUser('alice', ['members', 'powerusers'])
    const folder = { 'entity-type': 'document', type: 'Workspace', name: 'team', properties: { 'dc:title': 'Team' } }
    await server.as('Administrator').post('/path/default-domain/workspaces', folder)
    for (let number = 1; number <= 150; number += 1) {
      const properties = { 'dc:title': `Report ${String(number).padStart(3, '0')}`, 'dc:description': 'quarterly figures' }
      const file = { 'entity-type': 'document', type: 'File', name: `report-${number}`, properties }
      await server.as('Administrator').post('/path/default-domain/workspaces/team', file)
    }
  })
  const { journey, visit } = stage

  const readReport = async (number: number) => {
    const answer = await stage.server
      .as('Administrator')
      .get(`/path/default-domain/workspaces/team/report-${number}`, { properties: '*' })
    return answer.body as { uid: string; changeToken: string; properties: { [xpath: string]: unknown } }
  }

  journey('leads back after sign-in to the address that was asked for', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces/team?sort=dc:title&order=desc')
    await page.getByText('Report 150').waitFor()
    assert.equal(new URL(page.url()).pathname, '/ui/browse/default-domain/workspaces/team')
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('shows the last of many documents after one key', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces/team')
    await page.getByText('Report 001').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    await page.getByText('Report 150').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Report 150' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('creates a document by keyboard alone, puts it into the trash and takes that back', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces')
    await page.getByRole('button', { name: 'New' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Title').fill('Plans & <b>budgets</b>')
    await page.keyboard.press('Enter')
    const row = page.getByRole('row', { name: /Plans/ })
    await row.waitFor()
    await row.click({ position: { x: 400, y: 10 } })
    await page.keyboard.press('Delete')
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('uploads files that become documents', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces/team?sort=dc:modified&order=desc')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload' }).click()
    const files = ['résumé.txt', 'empty.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name.slice(5)),
    }))
    await (await choosing).setFiles(files)
    await page.getByText('2 files have arrived').waitFor()
    await page.getByRole('row', { name: /résumé\.txt/ }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('finds documents by their words, from anywhere', async () => {
    const { page, complaints, leave } = await visit('')
    await page.keyboard.press('/')
    await page.keyboard.type('figures')
    await page.keyboard.press('Enter')
    await page.getByText('150 documents found').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('edits properties with a vocabulary, and says at the field what is wrong', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces/team/report-2')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Second report')
    await page.getByLabel('Subjects').selectOption({ label: 'Art › Architecture' })
    await page.getByLabel('Nature').selectOption({ index: 3 })
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second report' }).waitFor()
    const { properties } = await readReport(2)
    assert.deepEqual(properties['dc:subjects'], ['art/architecture'])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('shows the second of two people what the first has changed, and lets them choose', async () => {
    const { page, leave } = await visit('browse/default-domain/workspaces/team/report-3')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Mine')
    const { uid, changeToken } = await readReport(3)
    const theirs = { 'dc:title': 'Theirs', 'dc:source': 'their source' }
    await stage.server.as('Administrator').put(`/id/${uid}`, { 'entity-type': 'document', uid, changeToken, properties: theirs })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('radio', { name: 'Theirs: Theirs' }).waitFor()
    await page.getByRole('button', { name: 'Save what I chose' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    const { properties } = await readReport(3)
    assert.equal(properties['dc:title'], 'Mine')
    assert.equal(properties['dc:source'], 'their source')
    await leave()
  })

  journey('shares a document with a group for a week, and says so in words', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces/team/report-4?tab=permissions')
    await page.getByRole('button', { name: 'Share' }).click()
    const week = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel('Person or group').fill('powerusers')
    await page.getByRole('dialog').getByLabel('Permission').selectOption('ReadWrite')
    await page.getByLabel('Until (optional)').fill(week)
    await page.getByRole('button', { name: 'Give' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const given = page.getByRole('region', { name: 'Given here' }).getByRole('listitem')
    await given.filter({ hasText: /may see and change it \(.*until/ }).waitFor()
    const { uid } = await readReport(4)
    const { body } = await stage.server.as('Administrator').get(`/id/${uid}`, { 'enrichers.document': 'acls' })
    const aces = body.contextParameters.acls.flatMap((acl: { aces: object[] }) => acl.aces)
    const ace = aces.find((one: { username: string }) => one.username === 'powerusers')
    assert.equal(ace.permission, 'ReadWrite')
    assert.equal(ace.end.slice(0, 10), week)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('shows what others do while they do it', async () => {
    const { page, complaints, leave } = await visit('browse/default-domain/workspaces/team?sort=dc:modified&order=desc')
    await page.getByRole('grid').waitFor()
    const file = { 'entity-type': 'document', type: 'File', name: 'theirs', properties: { 'dc:title': 'From somebody else' } }
    await stage.server.as('Administrator').post('/path/default-domain/workspaces/team', file)
    await page.getByRole('row', { name: /From somebody else/ }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('says of a folder that somebody may not read that it cannot be shown, and stays usable', async () => {
    const { page, leave } = await visit('', { user: 'alice' })
    await page.goto(`${stage.server.url}ui/browse/nowhere`)
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await leave()
  })
})
