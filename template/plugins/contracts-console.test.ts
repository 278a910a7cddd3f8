import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from 'quire/testing'
import contracts from './contracts.ts'
import contractsConsole from './contracts-console.ts'

test('the console is told how contracts are shown, and finds the file of their tab', async () => {
  const server = await startTestServer({ plugins: [contracts, contractsConsole] })
  try {
    const { body } = await server.as('Administrator').get('/console')
    assert.deepEqual(body.layouts[0].types, ['Contract'])
    const file = await server.as('Administrator').call('GET', body.tabs[0].address)
    assert.equal(file.status, 200)
  } finally {
    await server.stop()
  }
})
