import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { onEachEngine } from '../../../../test/support/engines.ts'

const undone = [
  'ALTER TABLE jobs DROP COLUMN trace',
  'DROP INDEX jobs_by_turn',
  'ALTER TABLE jobs DROP COLUMN owner',
  'DROP TABLE released_files',
  'DROP INDEX directory_references_by_term',
  'ALTER TABLE directory_references DROP COLUMN target_term',
  'DROP TABLE directory_terms',
  'DROP TABLE indexed_directories',
  'DROP TABLE directory_counters',
  'DELETE FROM schema_version WHERE version >= 9',
]

onEachEngine('a database from before directories could be searched', (engine) => {
  test('keeps its entries and references, and finds the latter by their beginning in any case', async () => {
    const database = await engine.createDatabase()
    const before = await database.open()
    await before.transact(({ directories }) => directories.insert('user', { id: 'ANN', values: { firstName: 'Ann' } }))
    await before.close()
    for (const statement of undone) await database.query(raw(statement))
    for (const [pos, target] of ['zoe', 'ANN', 'Ärmel', 'ΟΔΟΣ'].entries()) {
      await database.query(sql`
        INSERT INTO directory_references (reference, source_id, target_id, pos) VALUES ('members', 'staff', ${target}, ${pos})`)
    }
    const { directories } = (await database.open()).reader
    const beginning = async (prefix: string) =>
      (await directories.listTargetPage('members', 'staff', { prefix, offset: 0, limit: 10 })).ids
    assert.deepEqual(await directories.listTargets('members', 'staff'), ['zoe', 'ANN', 'Ärmel', 'ΟΔΟΣ'])
    assert.deepEqual([await beginning('an'), await beginning('ä'), await beginning('οδοσ')], [['ANN'], ['Ärmel'], ['ΟΔΟΣ']])
    assert.deepEqual((await directories.find('user', 'ANN'))?.values, { firstName: 'Ann' })
    assert.equal((await directories.listIndexedFields()).get('user'), undefined)
  })
})
