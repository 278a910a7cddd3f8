import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setStage } from '../support/browser.ts'
import { browserAt } from '../support/browser-client.ts'
import { prepareDesk } from '../support/console-desk.ts'
import { callAs, registerClient, tokenFor } from '../support/oauth2.ts'

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

  journey('what anybody is signed in with is found by person, revoked, and refused with the next request', async () => {
    const { server } = stage
    const query = new URLSearchParams({
      application: 'Desk Sync',
      deviceId: 'd-1',
      permission: 'rw',
      deviceDescription: 'Laptop',
    })
    const token = (await server.as('alice').call('POST', `api/v1/token?${query}`)).text
    await registerClient(server, 'desk')
    const { access_token: granted } = await tokenFor(server, 'alice', 'desk')
    const browser = browserAt(server.url)
    await browser.signIn('alice')
    const headers = { 'x-authentication-token': token }
    const statuses = async () => [
      (await browser.get('api/v1/me')).status,
      (await fetch(new URL('api/v1/me', server.url), { headers })).status,
      (await callAs(server, granted)).status,
    ]
    assert.deepEqual(await statuses(), [200, 200, 200])
    const { page, complaints, leave } = await visit('admin/tokens')
    const sessions = (await admin().get('/management/sessions')).body.resultsCount
    await page.getByText(`${sessions} sessions`).waitFor()
    await page.getByLabel('Only of').fill('ali')
    await page.getByRole('option', { name: /Alice Martin/ }).click()
    await page.getByText('1 session', { exact: true }).waitFor()
    const revoke = async (button: string) => {
      await page
        .getByRole('row', { name: /Alice Martin/ })
        .getByRole('button', { name: button })
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: button.split(':')[0] ?? '' })
        .click()
    }
    await revoke('End:')
    await page.getByText('Nobody is signed in').waitFor()
    assert.deepEqual(await statuses(), [401, 200, 200])
    await page.getByRole('radio', { name: 'Tokens' }).click()
    await page.getByRole('row', { name: /Alice Martin.*Desk Sync.*Laptop/ }).waitFor()
    assert.equal((await page.content()).includes(token), false)
    await revoke('Revoke: Desk Sync')
    await page.getByText('No program has a token').waitFor()
    assert.deepEqual(await statuses(), [401, 401, 200])
    await page.getByRole('radio', { name: 'OAuth2' }).click()
    await page.getByRole('row', { name: /Alice Martin.*desk.*Program that acts here/ }).waitFor()
    await revoke('Revoke: desk')
    await page.getByText('Nothing was agreed over OAuth2').waitFor()
    assert.deepEqual(await statuses(), [401, 401, 401])
    assert.deepEqual(complaints, [])
    await leave()
  })
})
