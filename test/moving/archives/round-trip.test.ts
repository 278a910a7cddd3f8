import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestServer } from '../../../src/testing.ts'
import { commandLineAt } from '../../support/command-line.ts'
import { filledPlace } from '../../support/fresh-place.ts'
import { fillRandomly } from './random-repository.ts'

test('a whole repository is the same after a way from SQLite to PostgreSQL and back, told by its exports', async () => {
  const [first, second, third] = [await filledPlace('sqlite'), await filledPlace('postgres'), await filledPlace('sqlite')]
  const server = await startTestServer({ settings: first.settings })
  try {
    await fillRandomly(server, { seed: Number(process.env['SEED'] ?? 7), steps: 150 })
    const archives = ['one.zip', 'two.zip', 'three.zip'].map((name) => join(first.folder, name)) as [string, string, string]
    const exported = async (place: typeof first, archive: string) => {
      const { parts, files } = await commandLineAt(place).json(['export', '/', archive])
      return { parts, files }
    }
    const there = await exported(first, archives[0])
    assert.ok(there.parts.documents.lines > 100 && there.parts.audit.lines > 100 && there.files.count > 5, JSON.stringify(there))
    await commandLineAt(second).json(['import', archives[0], '--to', '/'])
    assert.deepEqual(await exported(second, archives[1]), there)
    await commandLineAt(third).json(['import', archives[1], '--to', '/'])
    assert.deepEqual(await exported(third, archives[2]), there)
  } finally {
    await server.stop()
  }
})
