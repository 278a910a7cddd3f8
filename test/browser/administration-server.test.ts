import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { addDocument, prepareDesk } from '../support/console-desk.ts'
import { requireStatus } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const backupFolder = mkdtempSync(join(tmpdir(), 'quire-backups-'))
after(() => rm(backupFolder, { recursive: true }))

describe('who looks after the server sees', { timeout: 240_000 }, () => {
  const stage = setStage(prepareDesk, { settings: { statusKey: 'a-secret-key', backupFolder } })
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')
  const startOn = async (title: string, user: string, model = 'SerialDocumentReview') => {
    const { uid } = await addDocument(stage.server, title)
    return workflowsOn(stage.server).start(uid, model, user)
  }

  journey('workflows of everybody as they stand, by model and state, and the pictures of their models', async () => {
    await startOn('Plan', 'alice')
    await startOn('Sketch', 'bob', 'ParallelDocumentReview')
    const { id } = await startOn('Draft', 'alice')
    requireStatus(204, await admin().delete(`/workflow/${id}`))
    const { page, complaints, leave } = await visit('admin/workflows')
    const counted = async (query: string) => (await admin().get(`/management/workflows${query}`)).body.resultsCount
    await page.getByText(`${await counted('')} workflows`, { exact: true }).waitFor()
    await page.getByRole('row', { name: /Serial document review.*Plan.*Alice Martin.*Under way · 1 open task/ }).waitFor()
    await page.getByLabel('State').selectOption({ label: 'Under way' })
    await page.getByText(`${await counted('?state=running')} workflows`, { exact: true }).waitFor()
    await page.getByLabel('Model').selectOption({ label: 'Parallel document review' })
    await page.getByText('1 workflow', { exact: true }).waitFor()
    await page.getByRole('row', { name: /Sketch.*Bob Durand/ }).waitFor()
    await page.getByRole('radio', { name: 'Models' }).click()
    for (const title of ['Parallel document review', 'Serial document review'])
      await page.getByRole('img', { name: `Steps of ${title}`, exact: true }).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('a workflow that waits for somebody who is gone, gives its task to somebody else, and ends another', async () => {
    await stage.server.addUser('dave', ['members'])
    const flows = workflowsOn(stage.server)
    const { id } = await startOn('Agenda', 'alice')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:dave'] }, 'alice')
    const { id: other } = await startOn('Letter', 'dave')
    requireStatus(204, await admin().delete('/user/dave'))
    const { page, complaints, leave } = await visit('admin/workflows?show=stuck')
    const { entries, looked } = (await admin().get('/management/workflows/stuck')).body
    assert.equal(entries.length, 2)
    await page.getByText(`2 workflows · ${looked} looked at`).waitFor()
    const list = page.getByRole('list', { name: 'Stuck', exact: true })
    const line = list.getByRole('listitem').filter({ hasText: 'Agenda' })
    await line.getByText('nobody is left to do it').waitFor()
    await line.getByRole('link').click()
    await settle(page)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('region', { name: 'Why it does not go on' }).getByText('nobody is left to do it').waitFor()
    await page.getByRole('img', { name: /Steps of Serial document review. Now: / }).waitFor()
    await page.getByRole('button', { name: 'Reassign' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill('Alice')
    await page.getByRole('option', { name: /Alice Martin/ }).click()
    await dialog.getByRole('button', { name: 'Reassign' }).click()
    await list.getByRole('listitem').filter({ hasText: 'Agenda' }).waitFor({ state: 'detached' })
    assert.deepEqual((await flows.task(id)).actors, [{ id: 'alice' }])
    await list.getByRole('link').click()
    await page.getByRole('button', { name: 'Cancel the workflow' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click()
    await page.getByText('Everything goes on').waitFor()
    assert.equal((await flows.read(other)).state, 'canceled')
    // Who started it is asked for, and gone.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('404')),
      [],
    )
    await leave()
  })

  journey('every setting as the server has it, in French, found by a word, and no secret', async () => {
    const { entries } = (await admin().get('/management/configuration')).body
    const { page, complaints, leave } = await visit('admin/settings', { locale: 'fr-FR' })
    await page.getByText(`${entries.length} paramètres`, { exact: true }).waitFor()
    const list = page.getByRole('list', { name: 'Paramètres' })
    assert.equal(await list.getByRole('listitem').count(), entries.length)
    await page.getByRole('searchbox', { name: 'Trouver un paramètre' }).fill('blob-gc-grace')
    await page.getByText('1 paramètre', { exact: true }).waitFor()
    await list.getByText('1 heure').waitFor()
    await list.getByText('Par défaut', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Trouver un paramètre' }).fill('QUIRE_STATUS_KEY')
    await list.getByText('********').waitFor()
    assert.equal(await page.getByText('a-secret-key').count(), 0)
    await page.getByLabel('Donné').selectOption({ label: 'Dans un fichier' })
    await list.getByText('De statusKey in quire.config.ts').waitFor()
    await page.getByLabel('Donné').selectOption({ label: 'Sur la ligne de commande' })
    await page.getByText('Aucun paramètre de ce genre').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('health, versions, queues, caches and storage as the server tells them', async () => {
    const { page, complaints, leave } = await visit('admin/server')
    await page.getByText(/^Counted .*; anew at most once an hour/).waitFor()
    const storage = (await admin().get('/management/storage')).body
    const distribution = (await admin().get('/management/distribution')).body
    await page.getByText(`${distribution.applicationName} ${distribution.applicationVersion}`, { exact: true }).waitFor()
    await page.getByText(`${storage.files} file`, { exact: false }).first().waitFor()
    await page.getByText(`${storage.documents} documents`, { exact: false }).first().waitFor()
    const file = storage.types.find(({ name }: { readonly name: string }) => name === 'File')
    assert.ok(file.bytes > 0)
    const bar = page.getByRole('list', { name: 'By type' }).getByRole('listitem').filter({ hasText: 'File' }).first()
    assert.ok((await bar.textContent())?.endsWith(`(${file.documents})`))
    const [first] = storage.people
    await page
      .getByRole('row', { name: new RegExp(`${first.documents}$`) })
      .first()
      .waitFor()
    const months = page.getByRole('list', { name: 'Growth by month' })
    assert.equal(await months.getByRole('listitem').count(), storage.months.length)
    const parked = (await admin().get('/management/jobs')).body.parked
    const queues = page.getByRole('list', { name: 'Queues' })
    assert.match(
      (await queues.getByRole('listitem').filter({ hasText: 'Jobs given up' }).textContent()) ?? '',
      new RegExp(`${parked}$`),
    )
    assert.equal(await page.getByRole('list', { name: 'Answered from the cache' }).getByRole('listitem').count(), 2)
    const listProbes = async () => (await admin().get('/management/probes')).body.entries
    const runs = async () => (await listProbes()).map(({ counts }: { counts: { run: number } }) => counts.run)
    const well = page.getByText(/^well, /).nth((await listProbes()).length - 1)
    await well.waitFor()
    const before = await runs()
    await page.getByRole('button', { name: 'Check now' }).click()
    await settle(page)
    assert.deepEqual(
      await runs(),
      before.map((run: number) => run + 1),
    )
    await well.waitFor()
    // Of those who have created something, one is asked for who is gone.
    assert.deepEqual(
      complaints.filter((one) => !one.includes('404')),
      [],
    )
    await leave()
  })

  journey('maintenance that is started, watched to its end, and tells what came out', async () => {
    const { page, complaints, leave } = await visit('admin/maintenance')
    await page.getByRole('button', { name: 'Start: Check files' }).click()
    await page.getByText('All are as they should be.').waitFor()
    const find = async (name: string) =>
      (await admin().get('/management/maintenance')).body.entries.find((one: { readonly name: string }) => one.name === name)
    const { files } = (await find('checkFiles')).outcome
    await page
      .getByText(`${files} file read`)
      .or(page.getByText(`${files} files read`))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Start: Remove files that nobody needs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByText(/files? removed .*; \d+ stay/).waitFor()
    await page.getByRole('button', { name: 'Start: Remove files that nobody needs' }).waitFor()
    assert.equal((await find('collectFiles')).state, 'done')
    assert.equal((await find('collectFiles')).by, 'Administrator')
    await page.getByRole('button', { name: 'Start: Back up' }).click()
    await page.getByRole('button', { name: 'Stop: Back up' }).waitFor()
    await page.getByText(`In ${backupFolder}/`).waitFor()
    const backup = (await find('backUp')).outcome
    await page.getByText(new RegExp(`${backup.files} files? \\(.*\\) in it, of which ${backup.copied} new`)).waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })
})
