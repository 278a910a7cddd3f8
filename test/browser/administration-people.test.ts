import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setStage } from '../support/browser.ts'
import { prepareDesk } from '../support/console-desk.ts'

describe('the people of the administration', { timeout: 240_000 }, () => {
  const stage = setStage(prepareDesk)
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')

  journey('a user is created, found, changed and deleted', async () => {
    const { page, complaints, leave } = await visit('admin')
    const everybody = (await admin().get('/user/search?q=*&unlimited=true')).body.resultsCount
    await page.getByText(`${everybody} users`).waitFor()
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User name').fill('dora')
    await dialog.getByLabel('First name').fill('Dora')
    await dialog.getByLabel('Last name').fill('Lang')
    await dialog.getByLabel('Password').fill('doras-secret')
    await dialog.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('heading', { name: 'Dora Lang' }).waitFor()
    await page.getByText(`${everybody + 1} users`).waitFor()
    assert.equal((await admin().get('/user/dora')).body.properties.lastName, 'Lang')
    await page.getByLabel('E-mail').fill('dora@example.org')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    assert.equal((await admin().get('/user/dora')).body.properties.email, 'dora@example.org')
    await page.getByLabel('Find by name').fill('dor')
    await page.getByText('1 user', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete user' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('Nobody of that name').waitFor()
    assert.equal((await admin().get('/user/dora')).status, 404)
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('people are put into a group by dragging and by search, and what that gives is explained', async () => {
    const { page, complaints, leave } = await visit('admin/groups')
    for (const [name, label] of [
      ['crew', 'Crew'],
      ['fleet', 'Fleet'],
    ] as const) {
      await page.getByRole('button', { name: 'New group' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Label').fill(label)
      await dialog.getByRole('button', { name: 'New group' }).click()
      await page.getByRole('heading', { name: label, exact: true }).waitFor()
    }
    // The crew is in the fleet.
    await page.getByLabel('Groups in this group').last().fill('cre')
    await page.getByRole('option', { name: 'Crew' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('grid', { name: 'Groups' }).getByRole('link', { name: 'Crew' }).click()
    await page.getByRole('heading', { name: 'Crew', exact: true }).waitFor()
    const members = page.getByRole('grid', { name: 'Members' })
    const people = page.getByRole('grid', { name: 'People to add' })
    await people.getByRole('row', { name: /Alice/ }).dragTo(members)
    await members.getByRole('row', { name: /Alice Martin/ }).waitFor()
    await page.getByLabel('Find people').fill('bo')
    await people.getByRole('row', { name: /Alice/ }).waitFor({ state: 'detached' })
    await people.getByRole('button', { name: 'Add Bob Durand' }).click()
    await members.getByRole('row', { name: /Bob Durand/ }).waitFor()
    await page.getByText('2 members').waitFor()
    assert.deepEqual((await admin().get('/group/crew', { 'fetch.group': 'memberUsers' })).body.memberUsers, ['alice', 'bob'])
    await members.getByRole('button', { name: 'Take Bob Durand out' }).click()
    await page.getByText('1 member', { exact: true }).waitFor()
    await page.goto(`${stage.server.url}ui/admin/users/alice`)
    const groups = page.getByRole('list', { name: 'Groups' })
    await groups.getByText('Member through Crew').waitFor()
    const { entries } = (await admin().get('/management/memberships?user=alice')).body
    assert.equal(await groups.getByRole('listitem').count(), entries.length)
    await groups.getByRole('button', { name: 'Take out of Crew' }).click()
    await groups.getByText('Member through Crew').waitFor({ state: 'detached' })
    assert.deepEqual((await admin().get('/group/crew', { 'fetch.group': 'memberUsers' })).body.memberUsers, [])
    assert.deepEqual(complaints, [])
    await leave()
  })

  journey('somebody is invited, invited again and the invitation taken back, in French', async () => {
    const { page, complaints, leave } = await visit('admin/invitations', { locale: 'fr-FR' })
    await page.getByText('Personne n’a été invité').waitFor()
    await page.getByRole('button', { name: 'Inviter' }).click()
    await page.getByLabel('E-mail', { exact: true }).fill('eva@example.org')
    await page.getByLabel('Prénom').fill('Eva')
    await page.getByRole('button', { name: 'Envoyer l’invitation' }).click()
    await page.getByText('1 invitation', { exact: true }).waitFor()
    const row = page.getByRole('row', { name: /Eva/ })
    await row.getByText('En attente de réponse').waitFor()
    await row.getByRole('button', { name: 'Renvoyer' }).click()
    await page.getByText('L’invitation de Eva est en route').waitFor()
    await row.getByRole('button', { name: 'Reprendre' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reprendre' }).click()
    await page.getByText('Personne n’a été invité').waitFor()
    assert.deepEqual(complaints, [])
    await leave()
  })
})
