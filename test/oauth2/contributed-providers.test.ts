import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer } from '../../src/testing.ts'
import { databaseSettings } from '../support/database-settings.ts'

const boxes = (description: string, more: object = {}) =>
  definePlugin({
    name: 'boxes',
    requires: ['oauth2-providers'],
    directoryEntries: [
      {
        directory: 'oauth2ServiceProviders',
        rows: [
          { serviceName: 'cloudbox', description, clientId: 'abc', clientSecret: 's3', scopes: 'files.read,email', ...more },
          { serviceName: 'unknown-there', description },
        ],
      },
    ],
  })

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`3.7 services that the configuration names are added once, and never overwritten (${engine})`, async (context) => {
    const data = await mkdtemp(join(tmpdir(), 'quire-providers-'))
    context.after(() => rm(data, { recursive: true, force: true }))
    const settings = { data, ...(await databaseSettings(engine)) }
    const first = await startTestServer({ plugins: [boxes('As configured')], settings })
    const { entries } = (await first.as('Administrator').get('/oauth2/provider')).body
    const shown = entries.map((one: { [field: string]: unknown }) => [one['serviceName'], one['isEnabled'], one['scopes']])
    assert.deepEqual(shown, [
      ['cloudbox', true, ['files.read', 'email']],
      ['unknown-there', false, []],
    ])
    const changed = { ...entries[0], description: 'As an administrator wants it' }
    assert.equal((await first.as('Administrator').put('/oauth2/provider/cloudbox', changed)).status, 200)
    await first.stop()
    const second = await startTestServer({ plugins: [boxes('As configured anew')], settings })
    const again = (await second.as('Administrator').get('/oauth2/provider')).body.entries
    assert.deepEqual(
      again.map(({ description }: { description: string }) => description),
      ['As an administrator wants it', 'As configured'],
    )
    await second.stop()
  })
}

test('3.7 a service that cannot be stored stops the start, and says why', async () => {
  await assert.rejects(
    startTestServer({ plugins: [boxes('x', { description: { no: 'text' } })] }),
    /oauth2ServiceProviders.*description/s,
  )
  const nowhere = definePlugin({ name: 'nowhere', directoryEntries: [{ directory: 'nothing', rows: [] }] })
  await assert.rejects(startTestServer({ plugins: [nowhere] }), /nowhere.*nothing.*no directory/s)
})
