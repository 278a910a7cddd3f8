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

  journey('an ordinary user is told that there is nothing, and nothing is asked for', async () => {
    const { page, leave } = await visit('admin/users', { user: 'alice' })
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    assert.deepEqual(
      asked.filter((path) => /\/api\/v1\/(?!me|events|task)/.test(path)),
      [],
    )
    await leave()
  })
})
