import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestServer } from '../../src/testing.ts'
import { setStage } from '../support/browser.ts'

interface Read {
  readonly uid: string
  readonly isTrashed: boolean
  readonly properties: { readonly [xpath: string]: unknown }
}

const shelves = '/default-domain/workspaces/shelves'

const create = (server: TestServer, parent: string, type: string, name: string, properties: object) =>
  server.as('Administrator').post(`/path${parent}`, { 'entity-type': 'document', type, name, properties })

/** A folder with plans in it, another one to put them into, and a section to publish them in. */
async function fill(server: TestServer): Promise<void> {
  await create(server, '/default-domain/workspaces', 'Workspace', 'shelves', { 'dc:title': 'Shelves' })
  await create(server, shelves, 'Folder', 'archive', { 'dc:title': 'Archive' })
  for (const number of [2, 3, 4, 5, 6, 7, 8]) {
    await create(server, shelves, 'File', `plan-${number}`, { 'dc:title': `Plan ${number}` })
  }
  await create(server, shelves, 'File', 'plan-1', { 'dc:title': 'Plan 1', 'dc:source': 'first draft' })
  await attachText(server, 'plan-1', 'Present: Ada\nPrice: 100 euros\nEnd at noon\n')
  await create(server, '/default-domain/sections', 'Section', 'news', { 'dc:title': 'News' })
  await trash(server, 'plan-8')
  const { uid } = await read(server, 'plan-7')
  const run = (operation: string, json: object) => server.as('Administrator').post(`/automation/${operation}`, json)
  await run('Services.TagDocument', { input: `doc:${uid}`, params: { tags: ['seen'] }, context: {} })
  await run('Collection.Create', { params: { name: 'Readings' }, context: {} })
}

async function read(server: TestServer, name: string): Promise<Read> {
  const { body } = await server.as('Administrator').get(`/path${shelves}/${name}`, { properties: '*' })
  return body as Read
}

async function change(server: TestServer, name: string, properties: object): Promise<void> {
  const { uid } = await read(server, name)
  const { status } = await server.as('Administrator').put(`/id/${uid}`, { 'entity-type': 'document', uid, properties })
  assert.equal(status, 200)
}

async function trash(server: TestServer, name: string): Promise<void> {
  const { uid } = await read(server, name)
  await server.as('Administrator').post('/automation/Document.Trash', { input: `doc:${uid}`, params: {}, context: {} })
}

async function attachText(server: TestServer, name: string, text: string): Promise<void> {
  const headers = { Authorization: `Basic ${btoa('Administrator:Administrator')}` }
  const { batchId } = (await (await fetch(`${server.url}api/v1/upload`, { method: 'POST', headers })).json()) as {
    batchId: string
  }
  const file = { ...headers, 'X-File-Name': 'plan.txt', 'Content-Type': 'text/plain' }
  await fetch(`${server.url}api/v1/upload/${batchId}/0`, { method: 'POST', headers: file, body: text })
  await change(server, name, { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } })
}

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** As somebody does with a mouse and one key. */
async function select(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rowOf(page, name).click({ modifiers: ['ControlOrMeta'], position: { x: 300, y: 10 } })
  }
}

/** What can be done with what is selected. */
const withSelected = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: /selection|sélection/ }).getByRole('button', { name })

/** As the keys for it do, which have no effect in a browser without a screen. */
async function paste(page: Page, file?: string): Promise<void> {
  const add = file === undefined ? '' : `data.items.add(new File(['text'], ${JSON.stringify(file)}, { type: 'text/plain' }))`
  await page.evaluate(`{ const data = new DataTransfer(); ${add}
    document.querySelector('main').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })) }`)
}

describe('the console has shelves', { timeout: 900_000 }, () => {
  const stage = setStage(fill)
  const { journey, visit } = stage
  const document = (name: string) => `browse${shelves}/${name}`

  journey('on which versions are made, compared and restored', async () => {
    const { page, complaints, leave } = await visit(`${document('plan-1')}?tab=versions`)
    await page.getByText('No versions yet').waitFor()
    await page.getByRole('button', { name: 'New version' }).click()
    await page.getByLabel('What has changed').fill('As discussed')
    await page.getByRole('button', { name: 'Make version' }).click()
    await page.getByRole('listitem').filter({ hasText: 'As discussed' }).waitFor()

    await change(stage.server, 'plan-1', { 'dc:title': 'Plan one', 'dc:source': 'second draft' })
    await attachText(stage.server, 'plan-1', 'Present: Ada\nPrice: 120 euros\nEnd at noon\nNext: May\n')
    await page.getByText('Changed since version 0.1').waitFor()
    await page.getByRole('button', { name: 'New version' }).click()
    await page.getByRole('radio', { name: 'Major: 1.0' }).click()
    await page.getByRole('button', { name: 'Make version' }).click()
    await page.getByRole('link', { name: 'Version 1.0' }).waitFor()

    await page.getByRole('checkbox', { name: 'Choose Version 0.1 to compare' }).click()
    await page.getByRole('checkbox', { name: 'Choose Version 1.0 to compare' }).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('row', { name: 'Source first draft second draft' }).waitFor()
    await page.getByRole('row', { name: 'Price: 100 euros Price: 120 euros' }).waitFor()
    assert.deepEqual(await page.locator('del').allTextContents(), ['100'])
    assert.deepEqual(await page.locator('ins').allTextContents(), ['120', 'Next: May'])

    await page.getByRole('link', { name: 'Version 0.1' }).click()
    await page.getByText('Price: 100 euros').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plan 1' }).waitFor()
    const { properties } = await read(stage.server, 'plan-1')
    assert.equal(properties['dc:source'], 'first draft')
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a trash, from which all comes back until it is removed for good', async () => {
    const { page, complaints, leave } = await visit(`browse${shelves}`)
    await select(page, 'Plan 2')
    await withSelected(page, 'Move to trash').click()
    await rowOf(page, 'Plan 2').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, 'Plan 2').waitFor()

    await page.goto(`${stage.server.url}ui/${document('plan-2')}`)
    await page.getByRole('button', { name: 'Move to trash' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shelves' }).waitFor()
    await page.getByRole('link', { name: 'Trash' }).click()
    await select(page, 'Plan 2')
    await withSelected(page, 'Restore').click()
    await rowOf(page, 'Plan 2').waitFor({ state: 'detached' })
    assert.equal((await read(stage.server, 'plan-2')).isTrashed, false)

    const { uid } = await read(stage.server, 'plan-2')
    await trash(stage.server, 'plan-2')
    await page.goto(`${stage.server.url}ui/browse${shelves}?tab=trash`)
    await rowOf(page, 'Plan 2').getByRole('link', { name: 'Plan 2' }).click()
    await page.getByText('This is in the trash').waitFor()
    await page.getByRole('button', { name: 'Remove for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Remove for good' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove for good' }).click()
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
    await page.getByText('1 document was removed').waitFor()
    assert.equal((await stage.server.as('Administrator').get(`/id/${uid}`)).status, 404)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('favorites and collections, on a telephone and in French', async () => {
    const { page, complaints, leave } = await visit(document('plan-3'), {
      viewport: { width: 390, height: 844 },
      locale: 'fr-FR',
    })
    await page.getByRole('button', { name: 'Favoris' }).click()
    await page.getByText('1 document est dans vos favoris').waitFor()
    await page.getByRole('button', { name: 'Ajouter à' }).click()
    await page.getByRole('menuitem', { name: 'Une collection' }).click()
    await page.getByRole('combobox', { name: 'Collection' }).fill('Lectures')
    await page.keyboard.press('Enter')
    await page.getByText('1 document est dans Lectures').waitFor()
    await page.getByRole('link', { name: 'Lectures' }).waitFor()

    await page.goto(`${stage.server.url}ui/collections`)
    await rowOf(page, 'Lectures').getByRole('link', { name: 'Lectures' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lectures' }).waitFor()
    await page.getByRole('checkbox', { name: 'Sélectionner Plan 3' }).click()
    await withSelected(page, 'Retirer de la collection').click()
    await page.getByText('Rien dans cette collection').waitFor()
    await page.getByRole('button', { name: 'Annuler' }).click()
    await rowOf(page, 'Plan 3').waitFor()

    await page.goto(`${stage.server.url}ui/favorites`)
    await page.getByRole('checkbox', { name: 'Sélectionner Plan 3' }).click()
    await withSelected(page, 'Retirer des favoris').click()
    await page.getByText('Pas encore de favoris').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a clipboard that outlives a reload, to move and copy across folders', async () => {
    const { page, complaints, leave } = await visit(`browse${shelves}`)
    await select(page, 'Plan 4', 'Plan 5')
    await withSelected(page, 'Add to clipboard').click()
    await page.goto(`${stage.server.url}ui/clipboard`)
    await rowOf(page, 'Plan 4').waitFor()
    await page.goto(`${stage.server.url}ui/browse${shelves}/archive`)
    await page.getByRole('button', { name: 'Paste 2' }).click()
    await page.getByRole('menuitem', { name: 'Move here' }).click()
    await rowOf(page, 'Plan 5').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, 'Plan 5').waitFor({ state: 'detached' })
    assert.equal((await read(stage.server, 'plan-5')).isTrashed, false)

    await page.goto(`${stage.server.url}ui/${document('plan-4')}`)
    await page.getByRole('button', { name: 'Add to' }).click()
    await page.getByRole('menuitem', { name: 'The clipboard' }).click()
    await page.goto(`${stage.server.url}ui/browse${shelves}/archive`)
    await page.getByRole('button', { name: 'Paste 1' }).click()
    await page.getByRole('menuitem', { name: 'Copy here' }).click()
    await rowOf(page, 'Plan 4').waitFor()
    assert.equal((await read(stage.server, 'plan-4')).isTrashed, false)
    assert.equal((await read(stage.server, 'archive/plan-4')).isTrashed, false)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('sections, in which documents are published, published again and withdrawn', async () => {
    const { page, complaints, leave } = await visit(`${document('plan-6')}?tab=publishing`)
    await page.getByText('Not published yet').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('checkbox', { name: /News/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Up to date').waitFor()
    await change(stage.server, 'plan-6', { 'dc:title': 'Plan six' })
    await page.getByText('Older than the document').waitFor()
    await page.getByRole('button', { name: 'Publish again' }).click()
    await page.getByText('Up to date').waitFor()

    await page.getByRole('tab', { name: 'View' }).click()
    await page.getByRole('region', { name: 'Related' }).getByText('Published in').waitFor()
    await page.getByRole('region', { name: 'Related' }).getByRole('link', { name: 'News', exact: true }).click()
    await page.getByText('Published version 0.2').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Plan six' }).waitFor()
    await page.getByRole('link', { name: 'Go to the document' }).click()
    await page.getByRole('tab', { name: 'Publishing' }).click()
    await page.getByRole('button', { name: 'Unpublish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
    await page.getByText('Not published yet').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('relations between documents, seen from either end', async () => {
    const { page, complaints, leave } = await visit(document('plan-7'))
    const related = page.getByRole('region', { name: 'Related' })
    await related.getByText('Related to no other document.').waitFor()
    await related.getByRole('button', { name: 'Relate' }).click()
    await page.getByLabel('It', { exact: true }).selectOption('Requires')
    await page.getByRole('combobox', { name: 'Document' }).fill('Plan 3')
    await page.getByRole('option', { name: /Plan 3/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Relate' }).click()
    await related.getByText('Requires').waitFor()
    await related.getByRole('link', { name: 'Plan 3' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plan 3' }).waitFor()
    await related.getByText('Is required by').waitFor()
    await related.getByRole('button', { name: 'Take away the relation to Plan 7' }).click()
    await related.getByText('Related to no other document.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await related.getByRole('link', { name: 'Plan 7' }).click()
    await related.getByText('Requires').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('tags, which are suggested, listed and lead to all that has them', async () => {
    const { page, complaints, leave } = await visit(document('plan-7'))
    const field = page.getByRole('combobox', { name: 'Add a tag' })
    await field.fill('Budget 2026')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'budget2026' }).waitFor()
    await page.goto(`${stage.server.url}ui/${document('plan-3')}`)
    await field.fill('bud')
    await page.getByRole('option', { name: 'budget2026' }).click()
    // The list stays open for the next tag.
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'budget2026' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tagged “budget2026”' }).waitFor()
    await rowOf(page, 'Plan 7').waitFor()
    await rowOf(page, 'Plan 3').getByRole('link', { name: 'Plan 3' }).click()
    await page.getByRole('button', { name: 'Remove the tag budget2026' }).click()
    await page.getByText('The tag budget2026 was removed').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('what can be downloaded of a document', async () => {
    const { page, complaints, leave } = await visit(document('plan-1'))
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: /plan\.txt/ }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Files and properties (zip)' }).click()
    assert.match((await downloading).suggestedFilename(), /\.zip$/)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('files that are attached to a document, one by one, and taken off again', async () => {
    const { page, complaints, leave } = await visit(document('plan-3'))
    const attach = async (name: string) => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach files' }).click()
      await (await choosing).setFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(name) }])
      await page.getByRole('link', { name, exact: true }).waitFor()
    }
    await attach('one.txt')
    await attach('two.txt')
    await page.getByRole('button', { name: 'Remove one.txt' }).click()
    await page.getByRole('link', { name: 'one.txt', exact: true }).waitFor({ state: 'detached' })
    const { properties } = await read(stage.server, 'plan-3')
    const files = properties['files:files'] as readonly { readonly file: { readonly name: string; readonly length: string } }[]
    assert.deepEqual(
      files.map(({ file }) => [file.name, Number(file.length)]),
      [['two.txt', 7]],
    )
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('keys that copy, cut and paste documents, and files of other programs', async () => {
    const { page, complaints, leave } = await visit(`browse${shelves}`)
    const grid = page.getByRole('grid')
    await rowOf(page, 'Plan 5').waitFor()
    await select(page, 'Plan 5')
    await grid.focus()
    await page.keyboard.press('ControlOrMeta+x')
    await page.getByText('1 document is cut').waitFor()
    await page.goto(`${stage.server.url}ui/browse${shelves}/archive`)
    await page.getByRole('button', { name: 'Paste 1' }).waitFor()
    await paste(page)
    await rowOf(page, 'Plan 5').waitFor()
    await page.getByText('1 document was moved to Archive').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await rowOf(page, 'Plan 5').waitFor({ state: 'detached' })
    await paste(page, 'pasted.txt')
    await rowOf(page, 'pasted.txt').waitFor()
    assert.equal((await read(stage.server, 'plan-5')).isTrashed, false)
    assert.deepEqual(complaints, [])
    await leave()
  })
})
