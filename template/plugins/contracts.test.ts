import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from 'quire/testing'
import contracts from './contracts.ts'

describe('contracts', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ plugins: [contracts] })
  })
  after(() => server.stop())

  const create = (properties: object) =>
    server
      .as('Administrator')
      .post('/path/default-domain/workspaces', { 'entity-type': 'document', type: 'Contract', name: 'lease', properties })
  const sign = (id: string) => server.as('Administrator').post(`/id/${id}/@op/Contract.Sign`, {}, { properties: 'contract' })

  test('are signed once', async () => {
    const { body: contract } = await create({ 'dc:title': 'Lease', 'contract:party': 'Acme' })
    const { body: signed } = await sign(contract.uid)
    assert.equal(signed.state, 'signed')
    assert.match(signed.properties['contract:signed'], /^\d{4}-\d{2}-\d{2}T/)
    const again = await sign(contract.uid)
    assert.equal(again.status, 409)
    assert.match(again.body.message, /Lease is signed already\.$/)
  })

  test('are refused without a party', async () => {
    assert.equal((await create({ 'dc:title': 'Nobody' })).status, 400)
  })
})
