import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aRepository } from '../../../test/support/rendering.ts'
import { sweep } from './housekeeping.ts'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

onEachEngine('sweeping', (engine) => {
  test('removes values that have expired, and what is known of files that were let go of days ago', async () => {
    const database = await engine.createDatabase()
    const store = await database.open()
    await store.transact(async (tx) => {
      await tx.transient.set('expired', 1, hoursAgo(1))
      await tx.transient.set('kept', 1, hoursAgo(-1))
    })
    for (const hours of [1, 23, 47, 49, 500]) {
      await database.query(
        sql`INSERT INTO released_files (file_key, seq, released) VALUES (${`${hours}`}, 1, ${hoursAgo(hours)})`,
      )
    }
    await sweep(aRepository(store, { now: hoursAgo(0) }))
    assert.deepEqual(await database.query(sql`SELECT key FROM transient_values`), [['kept']])
    const rest = (await database.query(sql`SELECT file_key FROM released_files`)).map(([key]) => Number(key))
    assert.deepEqual(
      rest.toSorted((left, right) => left - right),
      [1, 23, 47],
    )
  })
})
