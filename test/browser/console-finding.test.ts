import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { TestServer } from '../../src/testing.ts'
import { findBarriers, setStage } from '../support/browser.ts'
import { corpus } from '../support/conversion/corpus.ts'
import { droppedNames, dropWhileOffline, namesIn } from '../support/dropped-folder.ts'
import { blobsOf } from '../support/files.ts'
import { importTestFile } from '../support/imported-file.ts'
import { smallPicture, smallVideo } from '../support/small-media.ts'
import { aStoredChild } from '../support/stored-document.ts'

const team = '/default-domain/workspaces/team'
const longList = 3_000
// As many as show a loss in their middle; `npm run stress -- console` drops 200.
const droppedFiles = 24

describe('finding things in the console', { timeout: 900_000 }, () => {
  // Nothing is looked for there, so that office files are shown alike on every machine.
  const stage = setStage(fill, { settings: { conversionPath: '/nowhere' } })
  const { journey, visit } = stage
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true })

  async function fill(server: TestServer): Promise<void> {
    for (const name of ['bea', 'newcomer']) await server.addUser(name, ['members'])
    const administrator = server.as('Administrator')
    const create = (parent: string, type: string, name: string, properties: object) =>
      administrator.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties })
    await create('/default-domain/workspaces', 'Workspace', 'team', { 'dc:title': 'Team' })
    for (const name of ['long', 'drop', 'media', 'moved'])
      await create(team, 'Folder', name, { 'dc:title': `${name[0]?.toUpperCase()}${name.slice(1)}` })
    for (const [number, nature] of ['article', 'article', 'report'].entries())
      await create(team, 'File', `minutes-${number}`, {
        'dc:title': `Minutes ${number}`,
        'dc:description': 'What the board decided about the zeppelin',
        'dc:nature': nature,
        'dc:subjects': ['art/architecture'],
      })
    await create(team, 'Note', 'plan', { 'dc:title': 'A plan', 'note:note': 'We will build a zeppelin.' })
    await fillLongList(server)
    for (const file of corpus.filter(({ name }) => ['text.pdf', 'text.docx'].includes(name)))
      await importTestFile(server, `${team}/media`, { name: file.name, type: file.mimeType, content: file.bytes() })
    await importTestFile(server, `${team}/media`, { name: 'blue.png', type: 'image/png', content: smallPicture })
    const video = await importTestFile(server, `${team}/media`, { name: 'blue.webm', type: 'video/webm', content: smallVideo })
    await addScenes(server, video.id)
  }

  /** As the server makes them where it finds the program for it. */
  async function addScenes(server: TestServer, id: string): Promise<void> {
    const content = {
      ...(await blobsOf(server).write(smallPicture)),
      name: 'scene.png',
      'mime-type': 'image/png',
      encoding: null,
    }
    const scenes = [0, 0.1].map((timecode) => ({ content, timecode, comment: null }))
    await server.asSystem((session) => saveDocument(session, id, { 'vid:storyboard': scenes }))
  }

  /** As many as would take a while to send. */
  async function fillLongList(server: TestServer): Promise<void> {
    await server.asSystem(async (session) => {
      const parent = await session.tx.documents.findByPath(`${team}/long`)
      assert.ok(parent)
      const named = (index: number) => `Item ${String(index).padStart(4, '0')}`
      const items = Array.from({ length: longList }, (_, index) =>
        aStoredChild(parent, `item-${index}`, { type: 'File', properties: { 'dc:title': named(index) } }),
      )
      await session.tx.documents.insertMany(items)
    })
  }

  journey('leads from the address that the server prints to sign-in and to work, without one complaint', async () => {
    const { page, complaints, leave } = await visit('', { url: stage.server.url })
    await heading(page, 'Home').waitFor()
    assert.equal(page.url(), `${stage.server.url}ui/`)
    assert.deepEqual(complaints, [])
    await leave()
    const program = await fetch(stage.server.url, { headers: { accept: '*/*' }, redirect: 'manual' })
    assert.equal(program.status, 404)
  })

  journey('lets somebody new sign in and choose a password, which is the only one from then on', async () => {
    const { page, complaints, leave } = await visit('', { user: 'newcomer' })
    await page.getByRole('button', { name: 'Account of newcomer' }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await page.getByLabel('Current password').fill('newcomer')
    await page.getByLabel('New password', { exact: true }).fill('a zeppelin over water')
    await page.getByLabel('New password again').fill('a zeppelin over land')
    await page.keyboard.press('Enter')
    await page.getByText('The two new passwords differ').waitFor()
    await page.getByLabel('New password again').fill('a zeppelin over water')
    await page.keyboard.press('Enter')
    await page.getByText('The password was changed').waitFor()
    assert.deepEqual(complaints, [])
    await page.getByRole('button', { name: 'Account of newcomer' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const signIn = async (password: string) => {
      await page.fill('#username', 'newcomer')
      await page.fill('#password', password)
      await page.keyboard.press('Enter')
    }
    await signIn('newcomer')
    await page.getByRole('alert').waitFor()
    await signIn('a zeppelin over water')
    await heading(page, 'Home').waitFor()
    await leave()
  })

  journey('takes keys alone to go to a folder, find a title in it, rename it, take that back and see all keys', async () => {
    const { page, complaints, leave } = await visit('')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('tea')
    await page.getByRole('option', { name: /^Team/ }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Team').waitFor()
    const grid = page.getByRole('grid')
    const current = () => page.locator('[role=row][data-current=true]')
    await grid.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('minutes 1')
    await current().getByText('Minutes 1').waitFor()
    await page.keyboard.press('F2')
    await page.getByLabel('Title').fill('Minutes of May')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /Minutes of May/ }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('row', { name: /Minutes 1/ }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('8 documents').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Escape')
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('takes keys alone to upload files', async () => {
    const { page, complaints, leave } = await visit(`browse${team}/media`)
    const choosing = page.waitForEvent('filechooser')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('upload')
    await page.getByRole('option', { name: 'Upload files', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await (await choosing).setFiles([{ name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from('typed') }])
    await page.getByText('1 file has arrived').waitFor()
    await page.getByRole('row', { name: /keys\.txt/ }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('takes keys alone to search, keep to a facet and open what was found', async () => {
    const { page, complaints, leave } = await visit('')
    await page.keyboard.press('/')
    await page.keyboard.type('zeppelin')
    await page.keyboard.press('Enter')
    await page.getByText('4 documents found').waitFor()
    await page.getByRole('row', { name: /build a zeppelin/ }).waitFor()
    const facet = page.getByRole('group', { name: 'Nature' }).getByRole('checkbox').first()
    await facet.focus()
    await page.keyboard.press('Space')
    await page.getByText('2 documents found').waitFor()
    await page.goBack()
    await page.getByText('4 documents found').waitFor()
    await page.goForward()
    await page.getByText('2 documents found').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Enter')
    await heading(page, /Minutes/).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('keeps layout, columns and order of lists, and has them in the address', async () => {
    const { page, complaints, leave } = await visit(`browse${team}`)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Author' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Author' }).getByRole('button').click()
    await page.goto(`${stage.server.url}ui/browse${team}/media`)
    await page.getByRole('columnheader', { name: 'Author' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await page.getByRole('radio', { name: 'Gallery' }).click()
    const tile = page.getByRole('gridcell', { name: /blue\.png/ })
    await tile.locator('img').waitFor()
    assert.match(page.url(), /layout=gallery/)
    await page.reload()
    await tile.waitFor()
    await page.getByRole('grid').focus()
    const current = () => page.locator('[role=gridcell][data-current=true]').innerText()
    const first = await current()
    await page.keyboard.press('ArrowRight')
    assert.notEqual(await current(), first)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByLabel('Filter this list').fill('WEBM')
    await page.getByText('1 document', { exact: true }).waitFor()
    assert.match(page.url(), /filter=WEBM/)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('keeps a search, calls it otherwise, and shares it with somebody who opens it', async () => {
    const { page, complaints, leave } = await visit('search?words=zeppelin')
    await page.getByRole('group', { name: 'Nature' }).getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'No folders' }).click()
    await page.getByText('2 documents found').waitFor()
    await page.getByRole('button', { name: 'Save search' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Airships')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Airships' }).waitFor()
    await page.getByRole('button', { name: 'What to do with Airships' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('All airships')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'All airships' }).waitFor()
    await page.getByRole('button', { name: 'What to do with All airships' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    await page.getByLabel('Person or group').fill('bea')
    await page.getByRole('button', { name: 'Give' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await leave()
    const other = await visit('search', { user: 'bea' })
    await other.page.getByRole('link', { name: 'All airships' }).click()
    await other.page.getByRole('checkbox', { checked: true }).waitFor()
    assert.match(other.page.url(), /words=zeppelin/)
    assert.match(other.page.url(), /noFolder/)
    assert.deepEqual(other.complaints, [])
    await other.leave()
  })

  journey('leads from addresses of documents to their pages, through sign-in', async () => {
    const { body } = await stage.server.as('Administrator').get(`/path${team}/plan`)
    const byId = await visit('', { url: `${stage.server.url}nxdoc/default/${body.uid}/view_documents` })
    await heading(byId.page, 'A plan').waitFor()
    await byId.page.waitForURL(`${stage.server.url}ui/browse${team}/plan`)
    await byId.page.goto(`${stage.server.url}nxpath/default${team}@view_documents`)
    await heading(byId.page, 'Team').waitFor()
    await byId.page.goto(`${stage.server.url}ui/browse${team}/plan?tab=history`)
    await byId.page.getByRole('tab', { name: 'History', selected: true }).waitFor()
    await byId.page.goto(`${stage.server.url}ui/doc/nothing-there`)
    await byId.page.getByRole('alert').waitFor()
    await byId.leave()
  })

  journey('shows a PDF, a picture, a text of an office program and a video, one after the other', async () => {
    const { page, complaints, leave } = await visit(`browse${team}/media?sort=dc:title&order=desc`)
    await page.getByRole('row', { name: /text\.pdf/ }).waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Page 1 of').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('heading', { name: 'text.docx' }).waitFor()
    await dialog
      .frameLocator('iframe')
      .getByText(/zebrafish/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const show = (name: string) => page.goto(`${stage.server.url}ui/browse${team}/media/${name}`)
    await show('text.pdf')
    await page.getByText('Page 1 of').waitFor()
    await page.getByRole('searchbox', { name: 'Find in the file' }).fill('zebrafish')
    await page.keyboard.press('Enter')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.getByRole('searchbox', { name: 'Find in the file' }).fill('no such word')
    await page.keyboard.press('Enter')
    await page.getByText('Not in it').waitFor()
    await show('blue.png')
    const picture = page.getByRole('img', { name: 'Picture blue.png' })
    await picture.waitFor()
    const width = async () => (await picture.boundingBox())?.width ?? 0
    const fits = await width()
    await page.getByRole('button', { name: 'Larger' }).click()
    await page.getByRole('button', { name: 'Larger' }).click()
    assert.ok((await width()) > fits)
    await page.getByRole('button', { name: 'Fit', exact: true }).click()
    assert.equal(await width(), fits)
    await page.getByRole('button', { name: 'Whole screen' }).click()
    await page.waitForFunction('document.fullscreenElement?.querySelector("img") !== null')
    // A browser without a screen of its own may have left it already.
    await page.evaluate('document.fullscreenElement && document.exitFullscreen().catch(() => {})')
    await show('blue.webm')
    const scenes = page.getByRole('list', { name: 'Scenes' }).getByRole('button')
    await scenes.last().waitFor()
    assert.equal(await scenes.count(), 2)
    await page.locator('article video').waitFor()
    await page.evaluate(`new Promise((resolve) => {
      const video = document.querySelector('article video')
      if (video.videoWidth > 0) resolve()
      else video.addEventListener('loadedmetadata', () => resolve())
    })`)
    await scenes.last().click()
    await page.waitForFunction('document.querySelector("article video").currentTime === 0.1')
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('sends a folder of files, though the network is lost on the way', async () => {
    const { page, leave } = await visit(`browse${team}/drop`)
    await page.getByText('Nothing here yet').waitFor()
    await dropWhileOffline(page, droppedFiles)
    await page.getByRole('row', { name: /Pictures/ }).waitFor()
    assert.deepEqual(await namesIn(stage.server, `${team}/drop/Pictures`), droppedNames(droppedFiles))
    await leave()
  })

  journey('has few rows of a long list at a time, and gets to its end with few requests', async () => {
    const { page, complaints, leave } = await visit(`browse${team}`)
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/search/') && asked.push(request.url()))
    await page.getByRole('link', { name: 'Long' }).click()
    await page.getByRole('row', { name: /Item 0000/ }).waitFor()
    assert.equal(asked.length, 1)
    const rows = page.getByRole('row')
    for (const key of ['PageDown', 'PageDown', 'End', 'PageUp']) {
      await page.getByRole('grid').focus()
      await page.keyboard.press(key)
      assert.ok((await rows.count()) < 80)
    }
    await page.keyboard.press('End')
    await page.getByRole('row', { name: `Item ${longList - 1}` }).waitFor()
    await page.keyboard.type('item 1500')
    await page.getByRole('row', { name: 'Item 1500' }).waitFor()
    assert.ok(asked.length < 30, `${asked.length} requests`)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('has the same keys and searches on a phone and in French', async () => {
    const { page, complaints, leave } = await visit('search?words=zeppelin', {
      viewport: { width: 390, height: 844 },
      locale: 'fr-FR',
    })
    await page.getByText('4 documents trouvés').waitFor()
    await page.getByRole('button', { name: 'Se limiter à' }).click()
    await page.getByRole('group', { name: 'Nature' }).getByRole('checkbox').first().check()
    await page.getByText('2 documents trouvés').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('tea')
    await page.getByRole('option', { name: /^Team/ }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Team').waitFor()
    await page.getByRole('radio', { name: 'Grille' }).click()
    await page.getByRole('gridcell', { name: /Minutes 0/ }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('completes a query as one writes it, says it in words, and says what is wrong in it', async () => {
    const { page, complaints, leave } = await visit('search')
    await page.getByRole('link', { name: 'Write a query' }).click()
    const query = page.getByRole('textbox', { name: 'Query (NXQL)' })
    await query.fill('SELECT * FROM ')
    await query.press('End')
    await page.keyboard.type('No')
    await page.getByRole('option', { name: 'Note', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('WHERE dc:tit')
    await page.getByRole('option', { name: /dc:title/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type("= 'A plan' AND ecm:isVersion = 0")
    await page.getByText('Everything of type Note where “Title” is “A plan” and a version is no').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 document found').waitFor()
    await page.getByRole('row', { name: /A plan/ }).waitFor()
    assert.deepEqual(complaints, [])
    await query.fill('SELECT * FRM Document')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText(/FRM/).waitFor()
    await leave()
  })

  journey('keeps a query, and shares it with somebody who opens it', async () => {
    const { page, complaints, leave } = await visit(
      `search?nxql=${encodeURIComponent("SELECT * FROM Note WHERE dc:title = 'A plan' AND ecm:isVersion = 0")}`,
    )
    await page.getByText('1 document found').waitFor()
    await page.getByRole('button', { name: 'Save search' }).click()
    await page.getByLabel('Name', { exact: true }).fill('The plan')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Back to the search form' }).click()
    await page.getByRole('link', { name: 'The plan' }).waitFor()
    await page.getByRole('button', { name: 'What to do with The plan' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    await page.getByLabel('Person or group').fill('members')
    await page.getByRole('button', { name: 'Give' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await leave()
    const other = await visit('search', { user: 'bea' })
    await other.page.getByRole('link', { name: 'The plan' }).click()
    await other.page.getByRole('textbox', { name: 'Query (NXQL)' }).waitFor()
    assert.equal(
      await other.page.getByRole('textbox', { name: 'Query (NXQL)' }).inputValue(),
      "SELECT * FROM Note WHERE dc:title = 'A plan' AND ecm:isVersion = 0",
    )
    assert.deepEqual(other.complaints, [])
    await other.leave()
  })

  journey('does something with all that a long list has, shows how far it is, and tells when it is done', async () => {
    const { page, complaints, leave } = await visit(`browse${team}/long?filter=Item 29`)
    await page.getByText('100 documents').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Select all 100' }).click()
    await page.getByText('All 100 selected').waitFor()
    await page.getByRole('button', { name: 'Move to trash' }).last().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
    await page.getByText('Done: 100 of 100').waitFor()
    await page.getByText('No title here has “Item 29”').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('region', { name: 'Taking the documents back' }).getByText('Done: 100 of 100').waitFor()
    await page.getByText('100 documents').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('moves all that a list has to another folder, and back again', async () => {
    const { page, complaints, leave } = await visit(`browse${team}/long?filter=Item 100`)
    await page.getByText('10 documents').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Select all 10' }).click()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'To which folder' }).fill('moved')
    await page.getByRole('option', { name: /Moved/ }).click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('Done: 10 of 10').waitFor()
    await page.getByText('No title here has “Item 100”').waitFor()
    assert.equal((await namesIn(stage.server, `${team}/moved`)).length, 10)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('10 documents').waitFor()
    await page.getByRole('row', { name: /Item 1009/ }).waitFor()
    assert.deepEqual(await namesIn(stage.server, `${team}/moved`), [])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('calls what has a title of spaces alone by the end of its path, wherever it leads there', async () => {
    const admin = stage.server.as('Administrator')
    const create = (parent: string, type: string, name: string) =>
      admin.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties: { 'dc:title': ' \u200b ' } })
    await create(team, 'Folder', 'unnamed')
    await create(`${team}/unnamed`, 'Note', 'nameless')
    const { page, complaints, leave } = await visit(`browse${team}`)
    await page.getByRole('grid').getByText('unnamed').click()
    await heading(page, 'unnamed').waitFor()
    await page.getByRole('grid').getByText('nameless').click()
    await heading(page, 'nameless').waitFor()
    await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'unnamed' }).click()
    await heading(page, 'unnamed').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(complaints, [])
    await leave()
    await admin.delete(`/path${team}/unnamed`)
  })
})
