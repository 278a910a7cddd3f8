import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe } from 'node:test'
import { defineDocumentType } from '../../src/model/document-type.ts'
import { long, string } from '../../src/model/field.ts'
import { defineSchema } from '../../src/model/schema.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { dropFiles, findBarriers, setStage, settle } from '../support/browser.ts'

const team = '/default-domain/workspaces/team'
const phone = { viewport: { width: 390, height: 844 }, locale: 'fr-FR' }

/** A type whose properties have rules that a form cannot know beforehand. */
const bills = definePlugin({
  name: 'bills',
  requires: ['content-model'],
  schemas: [
    defineSchema('bill', {
      prefix: 'bill',
      fields: {
        number: string({ pattern: 'B-[0-9]{4}' }),
        amount: long({ constraints: [{ kind: 'numericInterval', minimum: 1, minimumInclusive: true }] }),
      },
    }),
  ],
  documentTypes: [defineDocumentType('Bill', { extends: 'File', schemas: ['bill'] })],
})

describe('the console', { timeout: 900_000 }, () => {
  const stage = setStage(
    async (server) => {
      await server.addUser('alice', ['members', 'powerusers'])
      const folder = { 'entity-type': 'document', type: 'Workspace', name: 'team', properties: { 'dc:title': 'Team' } }
      await server.as('Administrator').post('/path/default-domain/workspaces', folder)
      for (let number = 1; number <= 150; number += 1) {
        const properties = { 'dc:title': `Report ${String(number).padStart(3, '0')}`, 'dc:description': 'quarterly figures' }
        const file = { 'entity-type': 'document', type: 'File', name: `report-${number}`, properties }
        await server.as('Administrator').post('/path/default-domain/workspaces/team', file)
      }
      for (const [type, name] of [
        ['Bill', 'bill'],
        ['Folder', 'inbox'],
        ['Folder', 'desk'],
      ])
        await server
          .as('Administrator')
          .post(`/path${team}`, { 'entity-type': 'document', type, name, properties: { 'dc:title': `A ${name}` } })
    },
    { plugins: [bills] },
  )
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

  for (const looks of [{}, phone])
    journey(
      `has no barrier and the same places while its menus are on their way, ${looks === phone ? 'narrow' : 'wide'}`,
      async () => {
        const { page, leave } = await visit('browse/default-domain/workspaces/team', looks)
        const places = () =>
          page.evaluate<readonly unknown[]>(`[...document.querySelectorAll('header search, nav li')].map((one) => {
          const { x, width } = one.getBoundingClientRect()
          return [x, width]
        })`)
        await page.getByText('Report 001').waitFor()
        await page.getByRole('banner').getByRole('button', { name: 'Administrator' }).waitFor()
        await settle(page)
        const whole = await places()
        await page.route(/account-menu|further-places/, () => {})
        await page.reload()
        await page.getByText('Report 001').waitFor()
        assert.equal(await page.getByRole('banner').locator('button:disabled').count(), 2)
        assert.deepEqual(await places(), whole)
        assert.deepEqual(await findBarriers(page), [])
        await leave()
      },
    )

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

  for (const [where, looks, words] of [
    ['by keyboard alone', {}, { create: 'New', title: 'Title', undo: 'Undo', upload: 'Upload', arrived: '2 files have arrived' }],
    [
      'on a telephone and in French',
      phone,
      { create: 'Nouveau', title: 'Titre', undo: 'Annuler', upload: 'Envoyer', arrived: '2 fichiers sont arrivés' },
    ],
  ] as const) {
    journey(`creates a document, puts it into the trash and takes that back, ${where}`, async () => {
      const { page, complaints, leave } = await visit('browse/default-domain/workspaces', looks)
      await page.getByRole('button', { name: words.create, exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel(words.title).fill(`${where}: plans & <b>budgets</b>`)
      await page.keyboard.press('Enter')
      const row = page.getByRole('row', { name: new RegExp(`${where}: plans`) })
      await row.waitFor()
      await page.getByRole('grid').focus()
      await page.keyboard.type(where.slice(0, 6))
      await row.and(page.locator('[data-current=true]')).waitFor()
      await page.keyboard.press('Delete')
      await row.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: words.undo }).click()
      await row.waitFor()
      assert.deepEqual(complaints, [])
      await leave()
    })

    journey(`uploads files that become documents, ${where}`, async () => {
      const { page, complaints, leave } = await visit(`browse${team}?sort=dc:modified&order=desc`, looks)
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: words.upload, exact: true }).focus()
      await page.keyboard.press('Enter')
      const files = [`résumé ${where}.txt`, `empty ${where}.txt`].map((name) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(name.startsWith('e') ? '' : name),
      }))
      await (await choosing).setFiles(files)
      await page.getByText(words.arrived).waitFor()
      await page.getByRole('row', { name: new RegExp(`résumé ${where}\\.txt`) }).waitFor()
      assert.deepEqual(complaints, [])
      await leave()
    })
  }

  journey('asks once for all what happens with files that are there already', async () => {
    const inbox = `${team}/inbox`
    const { page, complaints, leave } = await visit(`browse${inbox}`)
    const send = async (...files: readonly (readonly [name: string, text: string])[]) => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      const sent = files.map(([name, text]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) }))
      await (await choosing).setFiles(sent)
    }
    const arrived = async (count: number) => {
      await page.getByText(`${count} ${count === 1 ? 'file has' : 'files have'} arrived`).waitFor()
      await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Close' }).click()
    }
    const stored = async () => {
      const { body } = await stage.server.as('Administrator').get(`/path${inbox}/@children`, { properties: 'file' })
      type Child = { title: string; properties: { 'file:content': { length: string } } }
      const children = body.entries as readonly Child[]
      return children.map(({ title, properties }) => `${title} ${properties['file:content'].length}`).sort()
    }
    await send(['a.csv', 'a'], ['b.csv', 'b'])
    await arrived(2)
    await send(['a.csv', 'longer'], ['b.csv', 'longer'], ['c.csv', 'c'])
    const dialog = page.getByRole('dialog', { name: '2 files are here already' })
    await dialog.getByText('a.csv').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await arrived(3)
    assert.deepEqual(await stored(), ['a.csv 6', 'b.csv 6', 'c.csv 1'])
    await send(['a.csv', 'other'], ['d.csv', 'd'])
    await page.getByRole('dialog').getByRole('button', { name: 'Skip them' }).click()
    await arrived(1)
    await send(['a.csv', 'other'])
    await page.getByRole('dialog').getByRole('button', { name: 'Keep both' }).click()
    await arrived(1)
    assert.deepEqual(await stored(), ['a.csv 5', 'a.csv 6', 'b.csv 6', 'c.csv 1', 'd.csv 1'])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('keeps an upload that was cut off for whoever began it, and not for the next at the same browser', async () => {
    const { page, leave } = await visit(`browse${team}/desk`, { isFresh: true })
    const signInAs = async (name: string) => {
      await page.goto(`${stage.server.url}logout`)
      await page.fill('#username', name)
      await page.fill('#password', name)
      await page.keyboard.press('Enter')
      await page.waitForURL((next) => !next.pathname.endsWith('/login.jsp') && !next.pathname.endsWith('/startup'))
      await page.goto(`${stage.server.url}ui/browse${team}/desk`)
      await page.getByRole('heading', { level: 1, name: 'A desk' }).waitFor()
    }
    const stored = async () => {
      const { body } = await stage.server.as('Administrator').get(`/path${team}/desk/@children`, { properties: 'dublincore' })
      type Child = { title: string; properties: { 'dc:creator': string } }
      const children = body.entries as readonly Child[]
      return children.map(({ title, properties }) => [title, properties['dc:creator']])
    }
    await page.route(/FileManager\.Import/, (route) => route.abort())
    const cutOff = page.waitForEvent('requestfailed', (request) => request.url().includes('FileManager.Import'))
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await (await choosing).setFiles([{ name: 'diary.txt', mimeType: 'text/plain', buffer: Buffer.from('private') }])
    await cutOff
    await page.unroute(/FileManager\.Import/)
    await settle(page)
    await signInAs('alice')
    await settle(page)
    assert.equal(await page.getByText('diary.txt').count(), 0)
    assert.deepEqual(await stored(), [])
    await signInAs('Administrator')
    await page.getByRole('row', { name: /diary\.txt/ }).waitFor()
    assert.deepEqual(await stored(), [['diary.txt', 'Administrator']])
    await leave()
  })

  journey('creates and imports elsewhere than where one is', async () => {
    const { page, complaints, leave } = await visit(`browse${team}`)
    const open = async () => {
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByRole('group', { name: 'Where' }).getByRole('button', { name: 'Change' }).click()
      await page.getByRole('combobox', { name: 'Where' }).fill('inbo')
      await page.getByRole('option', { name: /A inbox/ }).click()
      await page.getByRole('group', { name: 'Where' }).getByText('A inbox').waitFor()
    }
    await open()
    await page.getByLabel('Title').fill('Put elsewhere')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Put elsewhere was created').waitFor()
    await open()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (await choosing).setFiles([{ name: 'imported.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('1') }])
    await page.getByText('1 file has arrived').waitFor()
    const { body } = await stage.server.as('Administrator').get(`/path${team}/inbox/@children?pageSize=100`)
    const titles = (body.entries as readonly { title: string }[]).map(({ title }) => title)
    assert.ok(titles.includes('Put elsewhere') && titles.includes('imported.bin'), titles.join())
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

  journey('edits properties with a vocabulary', async () => {
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

  journey('says at the field what is wrong with a value, and takes the right one', async () => {
    const { page, leave } = await visit(`browse${team}/bill`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Number').fill('B-12')
    await page.getByLabel('Amount').fill('0')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Number').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Amount').and(page.locator('[aria-invalid=true]')).waitFor()
    const said = async (label: string) => {
      const ids = (await page.getByLabel(label).getAttribute('aria-describedby')) ?? ''
      return page.evaluate<string>(
        `${JSON.stringify(ids)}.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')`,
      )
    }
    assert.match(await said('Number'), /B-\[0-9\]\{4\}/)
    assert.match(await said('Amount'), /1/)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByLabel('Number').fill('B-1234')
    await page.getByLabel('Amount').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    const { body } = await stage.server.as('Administrator').get(`/path${team}/bill`, { properties: 'bill' })
    assert.deepEqual(body.properties, { 'bill:number': 'B-1234', 'bill:amount': 20 })
    await leave()
  })

  journey('shows the second of two people what the first has changed, and lets them choose', async () => {
    const { page, leave } = await visit('browse/default-domain/workspaces/team/report-3')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('Mine')
    const { uid, changeToken } = await readReport(3)
    await page.getByLabel('Nature').selectOption({ label: 'Article' })
    await page.getByLabel('Expires').fill('2030-02-01')
    const theirs = {
      'dc:title': 'Theirs',
      'dc:source': 'their source',
      'dc:nature': 'booklet',
      'dc:expired': '2031-03-04T00:00:00.000Z',
    }
    await stage.server.as('Administrator').put(`/id/${uid}`, { 'entity-type': 'document', uid, changeToken, properties: theirs })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('radio', { name: 'Theirs: Theirs' }).waitFor()
    await page.getByRole('radio', { name: 'Mine: Article' }).waitFor()
    await page.getByRole('radio', { name: 'Theirs: Booklet' }).waitFor()
    await page.getByRole('radio', { name: 'Mine: Feb 1, 2030' }).waitFor()
    await page.getByRole('radio', { name: 'Theirs: Mar 4, 2031' }).click()
    await page.getByText('Taken over, as only they changed it: Source.').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Save what I chose' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    const { properties } = await readReport(3)
    assert.equal(properties['dc:title'], 'Mine')
    assert.equal(properties['dc:source'], 'their source')
    assert.equal(properties['dc:nature'], 'article')
    assert.equal(properties['dc:expired'], '2031-03-04T00:00:00.000Z')
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

  journey('invites somebody without an account by e-mail, for a while', async () => {
    const { page, complaints, leave } = await visit(`browse${team}/report-5?tab=permissions`)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Person or group').fill('guest@example.org')
    await page.getByRole('button', { name: 'Give' }).click()
    await page.getByText('Say until when: who has no account is invited for a while.').waitFor()
    await page.getByLabel('Until (optional)').fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10))
    await page.getByRole('button', { name: 'Give' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const outside = page.getByRole('region', { name: 'People from outside' }).getByRole('listitem')
    await outside.filter({ hasText: /guest@example\.org may see it \(until/ }).waitFor()
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

  journey('invites nobody to add to a folder that takes nothing from them', async () => {
    await stage.server.addUser('reader', ['members'])
    const shelf = { 'entity-type': 'document', type: 'Folder', name: 'shelf', properties: { 'dc:title': 'A shelf' } }
    await stage.server.as('Administrator').post(`/path${team}`, shelf)
    const { page, complaints, leave } = await visit(`browse${team}/shelf`, { user: 'reader' })
    await page.getByRole('heading', { level: 2, name: 'Nothing here yet' }).waitFor()
    await settle(page)
    assert.equal(await page.getByText('Drop files here').count(), 0)
    const dropped = join(await mkdtemp(join(tmpdir(), 'quire-dropped-')), 'a.txt')
    await writeFile(dropped, 'a')
    await dropFiles(page, dropped)
    await page.getByRole('status').getByText('You may not add anything here').waitFor()
    assert.equal(await page.getByRole('region', { name: 'Uploads' }).count(), 0)
    await rm(dirname(dropped), { recursive: true })
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('keeps what a document has within reach on a telephone, however long its title and those above are', async () => {
    const create = async (parent: string, type: string, name: string) => {
      const properties = { 'dc:title': 'W'.repeat(500) }
      await stage.server.as('Administrator').post(`/path${parent}`, { 'entity-type': 'document', type, name, properties })
    }
    await create(`${team}/inbox`, 'Folder', 'long')
    await create(`${team}/inbox/long`, 'Note', 'longer')
    const { page, leave } = await visit(`browse${team}/inbox/long`, phone)
    await page.getByRole('grid').focus()
    await page.keyboard.press('p')
    const look = page.getByRole('dialog')
    await look.getByRole('button', { name: 'Fermer' }).click({ timeout: 5_000 })
    await page.goto(`${stage.server.url}ui/browse${team}/inbox/long/longer`)
    await page.getByRole('tab', { name: 'Historique' }).click()
    const shown = await page.getByRole('tabpanel').boundingBox()
    assert.ok(shown !== null && shown.y + 200 < phone.viewport.height, `the panel begins at ${shown?.y}`)
    assert.ok(shown.x + shown.width <= phone.viewport.width, `the panel ends at ${shown.x + shown.width}`)
    assert.deepEqual(await findBarriers(page), [])
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
