import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setStage } from '../support/browser.ts'
import { prepareDesk } from '../support/console-desk.ts'

/** Browsers complain of every answer that refuses something. */
const besideRefusals = (complaints: readonly string[]) => complaints.filter((one) => !/status of 4(?:00|09)/.test(one))

describe('who and what has access, in the administration', { timeout: 240_000 }, () => {
  const stage = setStage(prepareDesk)
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')

  journey('a program is registered, told what is wrong at its field, changed, disabled and deleted', async () => {
    const { page, complaints, leave } = await visit('admin/oauth2-clients')
    const before = (await admin().get('/oauth2/client')).body.entries.length
    await page.getByText(`${before} programs`).waitFor()
    await page.getByRole('button', { name: 'Register a program' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Scanner')
    await dialog.getByLabel('Client ID').fill('scanner')
    const redirects = dialog.getByLabel('Redirect URIs')
    await redirects.fill('http://elsewhere.example/back')
    await dialog.getByLabel('Secret').fill('a-long-secret')
    await dialog.getByRole('button', { name: 'Register a program' }).click()
    await dialog.getByText("'http://elsewhere.example/back' is not a valid redirect URI").waitFor()
    assert.equal(await redirects.getAttribute('aria-invalid'), 'true')
    await redirects.fill('https://scan.example/back\nscanner://back')
    await dialog.getByRole('button', { name: 'Register a program' }).click()
    await page.getByRole('heading', { name: 'Scanner' }).waitFor()
    await page.getByText(`${before + 1} programs`).waitFor()
    const redirectURIs = ['https://scan.example/back', 'scanner://back']
    const known = { secret: 'a-long-secret', redirectURIs, isAutoGrant: false, isEnabled: true }
    const stored = async () => (await admin().get('/oauth2/client/scanner')).body
    assert.partialDeepStrictEqual(await stored(), { ...known, name: 'Scanner' })
    assert.equal(await page.getByRole('textbox', { name: 'Secret' }).inputValue(), '')
    assert.equal((await page.content()).includes('a-long-secret'), false)
    await page.getByLabel('Name').fill('Big scanner')
    await page.getByLabel('People are not asked').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Big scanner' }).waitFor()
    assert.partialDeepStrictEqual(await stored(), { ...known, name: 'Big scanner', isAutoGrant: true })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Big scanner is disabled').waitFor()
    assert.partialDeepStrictEqual(await stored(), { secret: 'a-long-secret', isEnabled: false })
    await page.getByLabel('Forget the secret that is stored').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('None is stored.').waitFor()
    assert.equal((await stored()).secret, null)
    await page.getByRole('button', { name: 'Delete program' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete program' }).click()
    await page.getByText(`${before} programs`).waitFor()
    assert.equal((await admin().get('/oauth2/client/scanner')).status, 404)
    assert.deepEqual(besideRefusals(complaints), [])
    await leave()
  })

  journey('a service is added, known by its secret, enabled and deleted, in French', async () => {
    const { page, complaints, leave } = await visit('admin/oauth2-providers', { locale: 'fr-FR' })
    await page.getByText('Aucun service n’est connu').waitFor()
    await page.getByRole('button', { name: 'Ajouter un service' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nom du service').fill('depot')
    await dialog.getByLabel('URL du serveur de jetons').fill('https://depot.example/token')
    await dialog.getByLabel('Portées').fill('read, write')
    await dialog.getByRole('button', { name: 'Ajouter un service' }).click()
    await page.getByRole('heading', { name: 'depot' }).waitFor()
    await page.getByText('1 service', { exact: true }).waitFor()
    const stored = async () => (await admin().get('/oauth2/provider/depot')).body
    assert.partialDeepStrictEqual(await stored(), { scopes: ['read', 'write'], isEnabled: false, isAvailable: false })
    assert.equal(await page.getByRole('button', { name: 'Activer' }).isDisabled(), true)
    await page.getByLabel('Identifiant de ce serveur').fill('quire')
    await page.getByLabel('Secret').fill('shared-secret')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Un secret est enregistré.').waitFor()
    await page.getByRole('button', { name: 'Activer' }).click()
    await page.getByText('depot est activé').waitFor()
    const tokenServerURL = 'https://depot.example/token'
    assert.partialDeepStrictEqual(await stored(), { clientSecret: 'shared-secret', tokenServerURL, isAvailable: true })
    assert.equal((await page.content()).includes('shared-secret'), false)
    // One of that name is there: told at the field.
    await page.getByRole('button', { name: 'Ajouter un service' }).click()
    await dialog.getByLabel('Nom du service').fill('depot')
    await dialog.getByRole('button', { name: 'Ajouter un service' }).click()
    await dialog.getByText(/has the serviceName depot already/).waitFor()
    await dialog.getByRole('button', { name: 'Annuler' }).click()
    await page.getByRole('button', { name: 'Supprimer le service' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer le service' }).click()
    await page.getByText('Aucun service n’est connu').waitFor()
    assert.deepEqual(besideRefusals(complaints), [])
    await leave()
  })
})
