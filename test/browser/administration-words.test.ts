import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { setStage } from '../support/browser.ts'
import { prepareDesk, team } from '../support/console-desk.ts'

const shelves = definePlugin({
  name: 'shelves',
  directories: [
    defineDirectory('fixed', { schema: 'vocabulary', readOnly: true, dataFile: async () => [{ id: 'one', label: 'One' }] }),
    defineDirectory('seasons', {
      schema: 'l10nxvocabulary',
      parentDirectory: 'seasons',
      deleteConstraints: [{ directory: 'seasons', field: 'parent' }],
      dataFile: async () =>
        ['spring', 'summer', 'winter'].map((id) => ({ id, label_en: `In ${id}`, label_fr: `Saison ${id}`, parent: '' })),
    }),
  ],
})

describe('the words of the administration', { timeout: 240_000 }, () => {
  const stage = setStage(prepareDesk, { plugins: [shelves] })
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')
  const idsOf = async (directory: string): Promise<readonly string[]> =>
    (await admin().get(`/directory/${directory}?pageSize=0`)).body.entries.map(({ id }: { id: string }) => id)

  journey('vocabularies are listed with how many entries each has', async () => {
    const { page, complaints, leave } = await visit('admin/vocabularies')
    const { entries } = (await admin().get('/management/directories')).body
    await page.getByText(`${entries.length} vocabularies`).waitFor()
    const country = page.getByRole('row', { name: /^country/ })
    await country.getByText('Below continent').waitFor()
    await country.getByText(String((await idsOf('country')).length), { exact: true }).waitFor()
    await country.getByRole('link').click()
    await page.getByRole('heading', { name: 'country' }).waitFor()
    await page.getByRole('row', { name: 'Europe' }).getByRole('button').click()
    await page.getByRole('row', { name: 'Albania' }).waitFor()
    await page.getByLabel('Find an entry').fill('lebano')
    await page.getByRole('row', { name: 'Lebanon' }).waitFor()
    assert.equal(await page.getByRole('row').count(), 1)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('entries are created, changed, marked as obsolete, put below another and deleted', async () => {
    const { page, complaints, leave } = await visit('admin/vocabularies/seasons')
    await page.getByText('3 entries').waitFor()
    await page.getByRole('button', { name: 'New entry' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id').fill('may')
    await dialog.getByLabel('Label (en)').fill('May')
    await dialog.getByLabel('Parent').selectOption('spring')
    await dialog.getByRole('button', { name: 'New entry' }).click()
    await page.getByRole('heading', { name: 'May' }).waitFor()
    await page.getByText('4 entries').waitFor()
    await page.getByLabel('Label (fr)').fill('Mai')
    await page.getByLabel('Obsolete').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { properties } = (await admin().get('/directory/seasons/may')).body
    assert.deepEqual(
      { ...properties, ordering: 0 },
      { id: 'may', label_en: 'May', label_fr: 'Mai', parent: 'spring', obsolete: 1, ordering: 0 },
    )
    // What others stand below stays, and the server says why.
    await page.getByRole('row', { name: 'In spring' }).click()
    await page.getByRole('heading', { name: 'In spring' }).waitFor()
    await page.getByRole('button', { name: 'Delete entry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete entry' }).click()
    await page.getByText('This entry is referenced in another vocabulary.').waitFor()
    await page
      .getByRole('row', { name: 'In spring' })
      .getByRole('button', { name: /expand/i })
      .click()
    await page.getByRole('row', { name: 'May' }).click()
    await page.getByRole('heading', { name: 'May' }).waitFor()
    await page.getByRole('button', { name: 'Delete entry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete entry' }).click()
    await page.getByText('3 entries').waitFor()
    assert.equal((await admin().get('/directory/seasons/may')).status, 404)
    assert.deepEqual(
      complaints.filter((text) => !/409/.test(text)),
      [],
    )
    await leave()
  })

  journey('entries are put in order by dragging, by keys and by buttons', async () => {
    const { page, complaints, leave } = await visit('admin/vocabularies/seasons')
    const row = (name: string) => page.getByRole('row', { name })
    const saved = (move: () => Promise<void>) =>
      Promise.all([page.waitForResponse((response) => response.url().endsWith('/order') && response.ok()), move()])
    await saved(() => row('In winter').dragTo(row('In spring'), { targetPosition: { x: 200, y: 2 } }))
    await page.getByText('The order was saved').waitFor()
    assert.deepEqual(await idsOf('seasons'), ['winter', 'spring', 'summer'])
    await row('In winter').getByRole('button', { name: 'Drag In winter' }).focus()
    await saved(async () => {
      for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    })
    const byKeys = await idsOf('seasons')
    assert.notEqual(byKeys[0], 'winter')
    await row('In summer').getByText('In summer').click()
    await saved(() => page.getByRole('button', { name: 'Move up' }).click())
    const at = byKeys.indexOf('summer')
    assert.deepEqual(await idsOf('seasons'), byKeys.toSpliced(at, 1).toSpliced(at - 1, 0, 'summer'))
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a CSV file goes out and comes back, in French, and a mistake in one is said', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-words-'))
    const { page, complaints, leave } = await visit('admin/vocabularies/seasons', { locale: 'fr-FR' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Exporter en CSV' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    assert.equal(text, (await admin().get('/management/directories/seasons/csv')).text)
    const send = async (content: string) => {
      const file = join(folder, 'seasons.csv')
      await writeFile(file, content)
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: /Choisir un fichier|seasons\.csv/ }).click(),
      ])
      await chooser.setFiles(file)
      await page.getByRole('dialog').getByRole('button', { name: 'Importer un CSV' }).click()
    }
    await page.getByRole('button', { name: 'Importer un CSV' }).click()
    await send('id,couleur\nautumn,rouge\n')
    await page.getByText(/names the column couleur/).waitFor()
    await send(`${text}autumn,Autumn,Automne,,0,5\r\n`)
    await page.getByText('1 créées, 0 changées, 3 laissées telles quelles').waitFor()
    await page.getByText('4 entrées').waitFor()
    await page.getByRole('row', { name: 'Automne' }).waitFor()
    assert.equal((await idsOf('seasons'))[0], 'autumn')
    assert.deepEqual(
      complaints.filter((complaint) => !/400/.test(complaint)),
      [],
    )
    await leave()
    await rm(folder, { recursive: true })
  })

  journey('what may not be changed is shown, and nothing else is offered', async () => {
    const { page, complaints, leave } = await visit('admin/vocabularies/fixed?show=one')
    await page.getByText(/keeps this vocabulary as it is/).waitFor()
    await page.getByRole('heading', { name: 'One' }).waitFor()
    for (const name of ['New entry', 'Import CSV', 'Delete entry', 'Save', 'Move up', 'Drag One'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    await page.goto(`${stage.server.url}ui/admin/vocabularies/userDirectory`)
    await page.getByRole('heading', { name: 'There is no vocabulary userDirectory' }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('types are read with what they extend, what extends them and what they are made of', async () => {
    const { page, complaints, leave } = await visit('admin/types')
    const { doctypes } = (await admin().get('/config/types')).body
    await page.getByText(`${Object.keys(doctypes).length} types`).waitFor()
    await page.getByLabel('Find by name').fill('workspace')
    await page.getByRole('grid').getByRole('link', { name: 'Workspace', exact: true }).click()
    await page.getByRole('heading', { name: 'Workspace', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Folder', exact: true }).click()
    await page.getByRole('heading', { name: 'Folder', exact: true }).waitFor()
    const extending = Object.keys(doctypes).filter((name) => doctypes[name].parent === 'Folder')
    assert.deepEqual(
      await page.getByRole('list', { name: 'Types that extend it' }).getByRole('link').allTextContents(),
      extending,
    )
    assert.deepEqual(
      await page.getByRole('list', { name: 'Schemas' }).getByRole('link').allTextContents(),
      doctypes.Folder.schemas,
    )
    await page.getByRole('list', { name: 'Schemas' }).getByRole('link', { name: 'dublincore' }).click()
    const row = page.getByRole('row', { name: /^nature/ })
    await row.getByText('string').waitFor()
    const { schemas } = (await admin().get('/config/types')).body
    const names = Object.keys(schemas.dublincore).filter((name) => name !== '@prefix')
    assert.deepEqual(await page.getByRole('rowheader').allTextContents(), names)
    await row.getByRole('link', { name: 'from the vocabulary nature' }).click()
    await page.getByRole('heading', { name: 'nature' }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('lifecycles are read state by state, in French', async () => {
    const { page, complaints, leave } = await visit('admin/types', { locale: 'fr-FR' })
    await page.getByRole('radio', { name: 'Cycles de vie' }).click()
    const { entries } = (await admin().get('/config/lifecycles')).body
    await page.getByText(`${entries.length} cycles de vie`).waitFor()
    await page.getByRole('link', { name: 'default', exact: true }).click()
    await page.getByText('approve mène à approved').waitFor()
    const states = page.getByRole('list', { name: 'États et transitions' })
    const own = entries.find(({ name }: { name: string }) => name === 'default')
    assert.equal(await states.locator('strong').count(), own.states.length)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('it is told who can see a document and why, and where somebody was given something', async () => {
    const { page, complaints, leave } = await visit('admin/permissions')
    await page.getByLabel('Path or id of the document').fill(`${team}/contract`)
    await page.keyboard.press('Enter')
    const people = page.getByRole('table', { name: 'People' })
    await people.getByRole('row', { name: /Alice Martin.*members may see and change it at Team/ }).waitFor()
    await people.getByRole('row', { name: /Administrator.*Is an administrator/ }).waitFor()
    const ask = async (what: string) => (await admin().get(`/management/permissions/${what}`)).body
    const { entries } = await ask(`people?document=${team}/contract`)
    assert.equal(await people.getByRole('row').count(), entries.length + 1)
    await page.getByText(`${entries.length} people`).waitFor()
    await page.getByRole('radio', { name: 'Entries' }).click()
    const named = await ask(`named?document=${team}/contract`)
    await page.getByText(`${named.entries.length} names`).waitFor()
    await page.getByLabel('Permission').selectOption('may do everything with it')
    await page.getByRole('row', { name: /^Members group.*No/ }).waitFor()
    await page.getByRole('radio', { name: 'A person or group' }).click()
    await page.getByLabel('Person or group').last().fill('ali')
    await page.getByRole('option', { name: /Alice Martin/ }).click()
    await page.getByRole('heading', { name: 'Alice Martin' }).waitFor()
    await page.getByRole('button', { name: 'Remove Alice Martin' }).waitFor()
    const places = await ask('places?name=alice')
    await page.getByText(`${places.resultsCount} places`).waitFor()
    const row = page.getByRole('row', { name: /members may see and change it.*Yes/ })
    await row.getByRole('link', { name: team }).click()
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a document that is not there is said to be missing', async () => {
    const { page, leave } = await visit('admin/permissions?q=/no/such')
    await page.getByRole('alert').waitFor()
    await leave()
  })
})
