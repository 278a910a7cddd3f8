import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshPostgresSchema } from '../support/postgres.ts'
import { runDeployment } from './deployment/run-deployment.ts'

test('two servers behind a balancer lose nothing that was acknowledged and keep rights while one is killed', async () => {
  const { ledger, measured, windows } = await runDeployment({
    seconds: 5,
    rate: 40,
    seed: 7,
    faults: ['server killed'],
    times: { serverMilliseconds: 500, databaseMilliseconds: 500 },
    database: await freshPostgresSchema(),
  })
  assert.deepEqual(ledger.broken, [])
  assert.equal(windows.length, 1)
  assert.ok(measured.length > 150, `${measured.length} requests`)
  assert.ok(ledger.acknowledged > 40, `${ledger.acknowledged} writes acknowledged`)
})
