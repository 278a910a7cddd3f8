import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { addDocument, prepareDesk } from '../support/console-desk.ts'
import { requireStatus } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

describe('who looks after the server sees', { timeout: 240_000 }, () => {
  const stage = setStage(prepareDesk, { settings: { statusKey: 'a-secret-key' } })
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
})
