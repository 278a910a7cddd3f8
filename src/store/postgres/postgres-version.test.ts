import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseProgramTooOld } from '../problems.ts'
import { requireProgram } from './postgres-store.ts'

test('a PostgreSQL before 17 is refused with its version, and no other', async () => {
  const versioned = (number: number, name: string) => ({ get: async () => [number, name] })
  await assert.rejects(requireProgram(versioned(160_009, '16.9'), 'db:5432/quire'), (error) => {
    assert.ok(databaseProgramTooOld.is(error))
    assert.equal(error.message, 'The database db:5432/quire is on PostgreSQL 16.9; this program needs version 17 or newer.')
    return true
  })
  await requireProgram(versioned(170_000, '17.0'), 'db:5432/quire')
  await requireProgram(versioned(180_001, '18.1'), 'db:5432/quire')
})
