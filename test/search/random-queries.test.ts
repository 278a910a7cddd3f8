import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freshPostgresSchema } from '../support/postgres.ts'
import { compareQueries } from './differential/rounds.ts'

describe('random queries about random documents', () => {
  test('find on both engines what the definition of the language says', async () => {
    const { compared, refused } = await compareQueries({
      seed: 1,
      worlds: 4,
      queriesInWorld: 100,
      documentsInWorld: 40,
      freshPostgres: freshPostgresSchema,
    })
    assert.ok(refused < compared / 10, `${refused} of ${compared + refused} queries were refused`)
  })
})
