import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from 'quire/testing'
import invoices from './invoices.ts'

describe('invoices', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ plugins: [invoices] })
  })
  after(() => server.stop())

  const create = (properties: object, name = 'invoice') =>
    server
      .as('Administrator')
      .post(
        '/path/default-domain/workspaces',
        { 'entity-type': 'document', type: 'Invoice', name, properties },
        { properties: 'invoice' },
      )

  test('get a number and their default currency when they are created', async () => {
    const { status, body } = await create({ 'inv:customer': 'Acme', 'inv:amount': 120 })
    assert.equal(status, 201)
    assert.match(body.properties['inv:number'], /^\d{4}-[0-9a-f]{8}$/)
    assert.equal(body.properties['inv:currency'], 'EUR')
    assert.equal(body.state, 'open')
  })

  test('are refused without a customer or with a negative amount', async () => {
    const { status, body } = await create({ 'inv:amount': -1 })
    assert.equal(status, 400)
    assert.equal(body['entity-type'], 'validation_report')
    assert.deepEqual(body.violations.map((violation: { constraint: { name: string } }) => violation.constraint.name).sort(), [
      'NotNullConstraint',
      'NumericIntervalConstraint',
    ])
  })

  test('that are late are told from those that are not', async () => {
    const late = await create({ 'inv:customer': 'Late', 'inv:amount': 1, 'inv:due': '2001-01-01' }, 'late')
    const { body } = await server.as('Administrator').get(`/id/${late.body.uid}`, { 'enrichers-document': 'overdue' })
    assert.equal(body.contextParameters.overdue, true)
    const list = await server.as('Administrator').get('/path/default-domain/workspaces/@children/@overdue')
    assert.deepEqual(
      list.body.entries.map((entry: { title: string }) => entry.title),
      ['late'],
    )
  })

  test('are offered in workspaces', async () => {
    const workspace = { 'entity-type': 'document', type: 'Workspace', name: 'w' }
    const { body } = await server
      .as('Administrator')
      .post('/path/default-domain/workspaces', workspace, { 'enrichers-document': 'subtypes' })
    assert.ok(body.contextParameters.subtypes.some((subtype: { type: string }) => subtype.type === 'Invoice'))
  })
})
