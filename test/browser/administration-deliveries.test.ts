import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe } from 'node:test'
import { findBarriers, setStage, settle } from '../support/browser.ts'
import { addDocument, prepareDesk } from '../support/console-desk.ts'
import { eventually, type NotificationReceiver, startNotificationReceiver } from '../support/notification-receiver.ts'
import { requireStatus } from '../support/workbench.ts'

const scope = { project: 'acme-ops', region: 'us-east1' }
const settings = {
  notificationDeliveryEnabled: true,
  notificationSubscriptions: [{ ...scope, endpoint: 'tower', events: ['documentCreated'] }],
  notificationDeliveryInsecureHosts: ['127.0.0.1'],
  notificationDeliveryAllowedAddresses: ['127.0.0.1'],
}

describe('who is told of events, in the administration', { timeout: 240_000 }, () => {
  const ids: string[] = []
  let status = 204
  const receiver = createServer(async (request, response) => {
    await request.toArray()
    ids.push(String(request.headers['webhook-id']))
    response.writeHead(status).end()
  })
  let tower: NotificationReceiver
  before(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    tower = await startNotificationReceiver()
  })
  after(async () => {
    receiver.closeAllConnections()
    receiver.close()
    await tower.stop()
  })
  const stage = setStage(prepareDesk, { settings })
  const { journey, visit } = stage
  const admin = () => stage.server.as('Administrator')
  const urlOf = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

  journey(
    'a webhook is added, its secret shown once, what it was sent is seen and sent again, and it is turned off',
    async () => {
      const { page, complaints, leave } = await visit('admin/webhooks')
      await page.getByText('Nobody is told of events').waitFor()
      await page.getByRole('button', { name: 'New webhook' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill('http://elsewhere.example/')
      await dialog.getByLabel('Events').fill('documentCreated')
      await dialog.getByRole('button', { name: 'New webhook' }).click()
      await dialog.getByText(/must have a url that starts with https/).waitFor()
      assert.equal(await dialog.getByLabel('URL').getAttribute('aria-invalid'), 'true')
      await dialog.getByLabel('URL').fill(urlOf())
      await dialog.getByRole('button', { name: 'New webhook' }).click()
      const secret = await dialog.getByLabel('Secret').inputValue()
      assert.match(secret, /^whsec_/)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('heading', { name: /^127\.0\.0\.1/ }).waitFor()
      await page.getByText('1 webhook', { exact: true }).waitFor()
      assert.equal((await page.content()).includes(secret), false)
      const [{ id }] = requireStatus(200, await admin().get('/webhooks')).entries
      const stored = async () => requireStatus(200, await admin().get(`/webhooks/${id}`))
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText('It was taken').waitFor()
      assert.equal(ids.length, 1)
      status = 400
      await eventually(async () => {
        await addDocument(stage.server, 'Letter')
        return (await stored()).failed > 0
      }, 'one is refused')
      const attempts = page.getByRole('list', { name: 'Last attempts' })
      const refused = attempts.getByRole('listitem').filter({ hasText: 'documentCreated · Refused' }).first()
      await refused.getByText('Status 400').waitFor()
      status = 204
      await refused.getByRole('button', { name: /Send again/ }).click()
      await attempts.getByText('documentCreated · Delivered').first().waitFor()
      assert.equal(ids.filter((one) => one === ids.at(-1)).length, 2)
      await settle(page)
      const { delivered, failed, attempts: told } = await stored()
      const count = async (word: string) => page.locator('dl > div', { hasText: word }).locator('dd').textContent()
      assert.deepEqual([await count('Delivered'), await count('Given up')], [String(delivered), String(failed)])
      assert.equal(await attempts.getByRole('listitem').count(), told.length)
      for (const [colorScheme, width] of [
        ['light', 1440],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        // What was announced of buttons that are gone is of no interest.
        await page.reload()
        await attempts.getByRole('listitem').first().waitFor()
        await settle(page)
        assert.deepEqual(await findBarriers(page), [])
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      }
      await page.getByRole('button', { name: 'New secret' }).click()
      await dialog.getByRole('button', { name: 'New secret' }).click()
      await dialog.getByLabel('Secret').waitFor()
      assert.notEqual(await dialog.getByLabel('Secret').inputValue(), secret)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByText(/is disabled/).waitFor()
      assert.equal((await stored()).isEnabled, false)
      await page.getByRole('button', { name: 'Delete webhook' }).click()
      await dialog.getByRole('button', { name: 'Delete webhook' }).click()
      await page.getByText('Nobody is told of events').waitFor()
      assert.equal((await admin().get(`/webhooks/${id}`)).status, 404)
      assert.deepEqual(
        complaints.filter((one) => !/status of 400/.test(one)),
        [],
      )
      await leave()
    },
  )

  journey('a notification endpoint shows what it was sent, and is sent a test and once more the same, in French', async () => {
    const place = `projects/${scope.project}/regions/${scope.region}/notificationEndpoints`
    const grpc_settings = { endpoint: `127.0.0.1:${tower.port}` }
    requireStatus(200, await admin().post(`/${place}`, { name: 'tower', grpc_settings }))
    await eventually(async () => {
      await addDocument(stage.server, 'Telegram')
      return tower.received.length > 0
    }, 'it is told')
    const { page, complaints, leave } = await visit('admin/notification-endpoints', { locale: 'fr-FR' })
    await page.getByText('1 point de notification', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'tower' }).click()
    await page.getByText('Il est informé de : documentCreated.').waitFor()
    const attempts = page.getByRole('list', { name: 'Derniers essais' })
    await attempts.getByText('documentCreated · Livré').first().waitFor()
    await page.getByRole('button', { name: 'Envoyer un test' }).click()
    await page.getByText('L’envoi a été pris').waitFor()
    assert.equal(tower.received.at(-1)?.event, 'test')
    await attempts.getByText('test · Livré').waitFor()
    await attempts
      .getByRole('button', { name: /Renvoyer/ })
      .first()
      .click()
    await eventually(() => {
      const { eventId, event } = tower.received.at(-1) ?? {}
      return event === 'documentCreated' && tower.received.filter((one) => one.eventId === eventId).length === 2
    }, 'it is sent again')
    await settle(page)
    const [{ delivered }] = requireStatus(200, await admin().get('/management/notification-endpoints')).entries
    assert.equal(await page.locator('dl > div', { hasText: 'Livrés' }).locator('dd').textContent(), String(delivered))
    assert.deepEqual(complaints, [])
    await leave()
  })
})
