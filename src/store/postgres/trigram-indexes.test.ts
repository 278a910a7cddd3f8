import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { ensureTrigrams, withTrigrams } from './trigram-indexes.ts'

const empty = { all: async () => [], get: async () => undefined }

describe('a database in which pg_trgm may not be created', () => {
  test('opens all the same, with a sentence in the log', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object, sentence: string) => warnings.push(sentence) }
    await ensureTrigrams(async () => {
      throw new Error('permission denied to create extension "pg_trgm"')
    }, log)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /CREATE EXTENSION pg_trgm/)
  })

  test('is searched without such indexes', async () => {
    assert.equal(await withTrigrams(postgresDialect, empty, [{ name: 'dc:title', kind: 'string' }]), postgresDialect)
  })
})
