import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { prepareDesk, team } from '../support/console-desk.ts'
import { requireStatus } from '../support/workbench.ts'

/** Browsers complain of every answer that refuses something. */
const besideRefusals = (complaints: readonly string[]) => complaints.filter((one) => !/status of 4(?:00|09|13)/.test(one))

describe('rules of folders and documents in the console', { timeout: 600_000 }, () => {
  const stage = setStage(async (server) => {
    await prepareDesk(server)
    await server.addUser('keeper', ['members', 'RecordManager'])
  })
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')
  const run = async (operation: string, input: string | undefined, params: object = {}) =>
    requireStatus(200, await admin().post(`/automation/${operation}`, { input, params, context: {} }))
  const read = async (path: string) => requireStatus(200, await admin().get(`/path${path}`, { properties: '*' }))
  const create = async (parent: string, type: string, title: string, properties: object = {}) => {
    const document = { 'entity-type': 'document', type, name: title, properties: { 'dc:title': title, ...properties } }
    return requireStatus(201, await admin().post(`/path${parent}`, document))
  }
  const rule = (title: string, properties: object) =>
    create('/RetentionRules', 'RetentionRule', title, {
      'retention_def:startingPointPolicy': 'immediate',
      'retention_def:durationYears': 5,
      ...properties,
    })
  /** Nobody is kept out, and nothing lies beside the screen. */
  const assertFinished = async (page: Page) => {
    await settle(page)
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  }

  journey('a rule is made by who manages records, told what is wrong at its field, changed, disabled and deleted', async () => {
    const { page, complaints, leave } = await visit('admin', { user: 'keeper' })
    await page.getByText('There are no rules yet').waitFor()
    assert.deepEqual(await page.getByRole('navigation', { name: 'Administration' }).getByRole('link').allTextContents(), [
      'Retention rules',
    ])
    await page.getByRole('button', { name: 'New rule' }).click()
    const dialog = page.getByRole('dialog')
    await assertFinished(page)
    await dialog.getByLabel('Name').fill('Contracts')
    await dialog.getByLabel('It begins').selectOption('With an event')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    const event = dialog.getByLabel('Event', { exact: true })
    await dialog.getByText(/a rule that an event starts needs retention_def:startingPointEvent/).waitFor()
    assert.equal(await event.getAttribute('aria-invalid'), 'true')
    await event.selectOption('The document is changed')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    const period = dialog.getByRole('group', { name: 'It is kept for' })
    await period.getByText(/it has no duration/).waitFor()
    await period.getByLabel('Years').fill('ten')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await period.getByText(/counted in whole numbers/).waitFor()
    await period.getByLabel('Years').fill('10')
    await dialog.getByLabel('Condition when').fill('Document["dc:source"] ==')
    await dialog.getByLabel('How it is attached').selectOption('Automatically')
    await dialog.getByLabel('Document types').selectOption('File')
    await dialog.getByLabel('At the end').selectOption('Move the document to the trash')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await dialog.getByText(/startingPointExpression cannot be read/).waitFor()
    await dialog.getByLabel('Condition when').fill('Document["dc:source"] == eventInput')
    await dialog.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { name: 'Contracts' }).waitFor()
    await page.getByText('1 rule', { exact: true }).waitFor()
    await page.getByText('10 years from the event documentModified on').waitFor()
    const stored = async () => (await read('/RetentionRules/Contracts')).properties
    assert.partialDeepStrictEqual(await stored(), {
      'retention_rule:applicationPolicy': 'auto',
      'retention_rule:docTypes': ['File'],
      'retention_def:startingPointEvent': 'documentModified',
      'retention_def:startingPointExpression': 'Document["dc:source"] == eventInput',
      'retention_def:durationYears': 10,
      'retention_def:endActions': ['Document.Trash'],
    })
    await page.getByLabel('It begins').selectOption('Some time after that')
    await page.getByRole('group', { name: 'Delay' }).getByLabel('Days').fill('30')
    await page.getByLabel('It can be taken back').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.partialDeepStrictEqual(await stored(), {
      'retention_rule:flexibleRecords': true,
      'retention_def:startingPointPolicy': 'after_delay',
      'retention_def:startingPointValue': 'P30D',
      'retention_def:startingPointEvent': null,
      'retention_def:startingPointExpression': null,
    })
    // What is typed stays while the rule is disabled, and is no conflict with that; another's change is one.
    await page.getByLabel('Description').fill('For what we signed')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Contracts is disabled').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save', disabled: true }).waitFor()
    await settle(page)
    assert.equal((await stored())['dc:description'], 'For what we signed')
    await page.getByLabel('Description').fill('For what they signed')
    const { uid, changeToken } = await read('/RetentionRules/Contracts')
    const theirs = { 'entity-type': 'document', uid, changeToken, properties: { 'dc:description': 'For contracts' } }
    requireStatus(200, await admin().put(`/id/${uid}`, theirs))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Somebody else has changed the rule meanwhile/).waitFor()
    assert.equal((await stored())['dc:description'], 'For contracts')
    assert.equal((await stored())['retention_rule:enabled'], false)
    // Anew, without what is only read out after a press; who has typed something is asked before.
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await assertFinished(page)
    await page.getByRole('button', { name: 'Delete rule' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click()
    await page.getByText('There are no rules yet').waitFor()
    assert.equal((await admin().get('/path/RetentionRules/Contracts')).status, 404)
    assert.deepEqual(besideRefusals(complaints), [])
    await leave()
  })

  journey('a document is offered the rules that fit, says how it is kept, and is set free where that was promised', async () => {
    const { uid } = await read(`${team}/contract`)
    await rule('Five years', { 'retention_rule:docTypes': ['File'], 'retention_def:endActions': ['Document.Trash'] })
    await rule('As long as needed', { 'retention_rule:flexibleRecords': true })
    await rule('Of notes', { 'retention_rule:docTypes': ['Note'] })
    await rule('Switched off', { 'retention_rule:enabled': false })
    await rule('By itself', { 'retention_rule:applicationPolicy': 'auto', 'retention_def:expression': 'false' })
    await run('Document.AddPermission', `doc:${uid}`, { username: 'alice', permission: 'ManageRecord' })
    const alice = await visit(`browse${team}/contract`, { user: 'alice' })
    const bob = await visit(`browse${team}/contract`, { user: 'bob' })
    await settle(bob.page)
    assert.equal(await bob.page.getByRole('region', { name: 'Retention' }).count(), 0)
    const panel = alice.page.getByRole('region', { name: 'Retention' })
    await panel.getByRole('button', { name: 'Attach a rule' }).click()
    const dialog = alice.page.getByRole('dialog')
    await dialog.getByRole('radio').first().waitFor()
    const offered = await dialog
      .getByRole('radio')
      .evaluateAll((all: { labels: { textContent: string }[] }[]) => all.map(({ labels }) => labels[0]?.textContent))
    assert.deepEqual(offered, [
      'As long as needed5 years from when it is attached · Can be taken back',
      'Five years5 years from when it is attached',
    ])
    await assertFinished(alice.page)
    await dialog.getByRole('radio', { name: /^As long/ }).check()
    await dialog.getByRole('button', { name: 'Attach a rule' }).click()
    await alice.page.getByText('The rule As long as needed is attached').waitFor()
    const { retainUntil } = await read(`${team}/contract`)
    const year = retainUntil.slice(0, 4)
    // Bob learns of it while he looks, and has nothing to do about it.
    for (const { page } of [alice, bob]) {
      await page.getByText(new RegExp(`^Kept until .*${year}`)).waitFor()
      const facts = page.getByRole('region', { name: 'Retention' })
      await facts.getByRole('definition').filter({ hasText: 'As long as needed' }).waitFor()
      await facts.getByRole('definition').filter({ hasText: year }).waitFor()
    }
    assert.equal(await bob.page.getByRole('region', { name: 'Retention' }).getByRole('button').count(), 0)
    await assertFinished(bob.page)
    await panel.getByRole('button', { name: 'Take the rule back' }).click()
    await dialog.getByRole('button', { name: 'Take the rule back' }).click()
    await alice.page.getByText('The rule was taken back').waitFor()
    await panel.getByText('None: it was made a record by hand').waitFor()
    // One that was not promised to be taken back stays, whoever looks.
    await panel.getByRole('button', { name: 'Attach a rule' }).click()
    await dialog.getByRole('radio', { name: /^Five/ }).check()
    await dialog.getByRole('button', { name: 'Attach a rule' }).click()
    await panel.getByText('Put into the trash').waitFor()
    assert.equal(await panel.getByRole('button').count(), 0)
    await run('Document.Hold', `doc:${uid}`)
    await bob.page.getByText('On legal hold').waitFor()
    await panel.getByText('Yes, until it is let go').waitFor()
    assert.deepEqual([...alice.complaints, ...bob.complaints], [])
    await Promise.all([alice.leave(), bob.leave()])
  })

  journey('a folder gets a quota as one types it, shows what is used, and tells who uploads too much', async () => {
    const { path } = await create(team, 'Folder', 'Small')
    const { page, complaints, leave } = await visit(`browse${path}`)
    const dialog = page.getByRole('dialog')
    const size = dialog.getByLabel('At most')
    const change = async (text: string) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /quota$/ })
        .click()
      await size.fill(text)
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    await change('plenty')
    await dialog.getByText(/This is no size/).waitFor()
    assert.equal(await size.getAttribute('aria-invalid'), 'true')
    await size.fill('1000 TB')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^A quota cannot be 1000000000000000 bytes/).waitFor()
    await size.fill('100 kB')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const quota = page.getByRole('region', { name: 'Quota' })
    await quota.getByText('0 bytes of 100 kB used').waitFor()
    const upload = async (name: string, bytes: number) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload', exact: true }).click(),
      ])
      await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(bytes, name) })
    }
    await upload('first.bin', 95_000)
    await quota.getByText('95 kB of 100 kB used').waitFor()
    await quota.getByText('There is little room left.').waitFor()
    await quota.getByText('Documents 95 kB').waitFor()
    await upload('second.bin', 6_000)
    await page.getByText(/^The folder .*Small may hold 100000 bytes of files.*6000 bytes more do not fit/).waitFor()
    const [bin] = (await admin().get(`/path${path}/@children`)).body.entries
    await run('Document.Trash', `doc:${bin.uid}`)
    await quota.getByText('Trash 95 kB').waitFor()
    // Others see it, and have nothing to change it with.
    const alice = await visit(`browse${path}`, { user: 'alice', colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    await alice.page.getByRole('meter', { name: 'Quota' }).waitFor()
    assert.equal(await alice.page.getByRole('button', { name: /quota/ }).count(), 0)
    await assertFinished(alice.page)
    await change('50 kB')
    await quota.getByText('95 kB of 50 kB used').waitFor()
    await quota.getByText(/Nothing more fits/).waitFor()
    await quota.getByRole('button').click()
    assert.equal(await size.inputValue(), '50 kB')
    await dialog.getByRole('button', { name: 'Count anew' }).click()
    await page.getByText(/is counted anew in the background/).waitFor()
    await dialog.getByRole('button', { name: 'Lift the quota' }).click()
    await page.getByText('The quota is lifted').waitFor()
    await quota.waitFor({ state: 'detached' })
    assert.deepEqual(besideRefusals([...complaints, ...alice.complaints]), [])
    await Promise.all([leave(), alice.leave()])
  })

  journey('a version of a folder is taken with all in it, looked into, and brought back', async () => {
    const { path, uid } = await create(team, 'Folder', 'Plans')
    const { path: inner } = await create(path, 'Folder', 'Drafts')
    await create(inner, 'Note', 'Sketch', { 'note:note': 'A first line' })
    const alice = await visit(`browse${path}?tab=versions`, { user: 'alice' })
    const { page } = alice
    await page.getByText('No versions yet').waitFor()
    const take = async (size: RegExp) => {
      await page.getByRole('button', { name: 'New version' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: size }).check()
      await page.getByRole('dialog').getByRole('button', { name: 'Make version' }).click()
    }
    await take(/^Minor: 0\.1/)
    await page.getByText('Version 0.1 of the folder was made').waitFor()
    await take(/^Major/)
    await page.getByText('Nothing has changed since the last version').waitFor()
    const change = { 'entity-type': 'document', properties: { 'note:note': 'Another line' } }
    requireStatus(200, await admin().put(`/path${inner}/Sketch`, change))
    await create(path, 'Note', 'Late')
    await page.getByRole('link', { name: 'Version 0.1' }).click()
    const chosen = page.getByRole('region', { name: 'What was chosen' })
    const unfold = chosen.getByRole('button', { name: 'What was in Drafts' })
    await unfold.focus()
    await page.keyboard.press('Enter')
    await chosen.getByRole('list', { name: 'What was in Drafts' }).getByRole('link', { name: 'Sketch' }).waitFor()
    assert.equal(await unfold.getAttribute('aria-expanded'), 'true')
    assert.equal(await chosen.getByText('Late').count(), 0)
    await page.reload()
    await assertFinished(page)
    await chosen.getByRole('button', { name: 'Restore' }).click()
    await assertFinished(page)
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /Put what came since/ })
      .uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The folder is again as in version 0.1').waitFor()
    await page.getByRole('row', { name: /Late/ }).waitFor()
    assert.equal((await read(`${inner}/Sketch`)).properties['note:note'], 'A first line')
    // Who may only read sees the versions, and makes and restores none.
    await run('Document.BlockPermissionInheritance', `doc:${uid}`)
    await run('Document.AddPermission', `doc:${uid}`, { username: 'bob', permission: 'Read' })
    const bob = await visit(`browse${path}?tab=versions`, {
      user: 'bob',
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    })
    await bob.page.getByRole('link', { name: 'Version 0.1' }).click()
    await bob.page.getByRole('button', { name: 'What was in Drafts' }).waitFor()
    for (const name of ['New version', 'Restore']) assert.equal(await bob.page.getByRole('button', { name }).count(), 0)
    await assertFinished(bob.page)
    assert.deepEqual([...alice.complaints, ...bob.complaints], [])
    await Promise.all([alice.leave(), bob.leave()])
  })

  journey('a folder is synchronised with the desktop, listed in the settings, and given up there', async () => {
    const { path } = await create(team, 'Folder', 'Shared')
    const { path: inner } = await create(path, 'Folder', 'Deep')
    const { page, complaints, leave } = await visit(`browse${path}`, { user: 'bob' })
    const bar = page.getByRole('toolbar', { name: 'What can be done' })
    await bar.getByRole('button', { name: 'Synchronise' }).click()
    await page.getByText('Your desktop clients synchronise Shared').waitFor()
    await bar.getByRole('button', { name: 'Stop synchronising' }).waitFor()
    const roots = async () => {
      const top = requireStatus(
        200,
        await stage.server.as('bob').post('/automation/PlatformDrive.GetTopLevelFolder', { params: {} }),
      )
      const params = { id: top.id }
      const items = await stage.server.as('bob').post('/automation/PlatformDrive.GetChildren', { params })
      return requireStatus(200, items).map(({ name }: { name: string }) => name)
    }
    assert.deepEqual(await roots(), ['Shared'])
    // What is in it is synchronised with it.
    await page.goto(`${stage.server.url}ui/browse${inner}`)
    const within = bar.getByRole('button', { name: 'Synchronised with Shared' })
    await within.waitFor()
    assert.equal(await within.isDisabled(), true)
    await assertFinished(page)
    const alice = await visit(`browse${path}`, { user: 'alice' })
    await alice.page.getByRole('button', { name: 'Synchronise' }).waitFor()
    await page.goto(`${stage.server.url}ui/profile`)
    const section = page.getByRole('region', { name: 'Synchronised folders' })
    await section.getByRole('link', { name: 'Shared' }).waitFor()
    await section.getByRole('button', { name: 'Stop synchronising Shared' }).click()
    await section.getByText(/^You synchronise no folder/).waitFor()
    assert.deepEqual(await roots(), [])
    assert.deepEqual([...complaints, ...alice.complaints], [])
    await Promise.all([leave(), alice.leave()])
  })
})
