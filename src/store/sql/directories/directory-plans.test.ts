import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'sql-template-tag'
import { onEachEngine, type TestDatabase } from '../../../../test/support/engines.ts'
import type { EntrySearch } from '../../directories.ts'
import { postgresDialect } from '../../postgres/postgres-dialect.ts'
import { sqliteDialect } from '../../sqlite/sqlite-dialect.ts'
import type { SqlStatement } from '../connection.ts'
import * as references from './directory-reference-statements.ts'
import * as searches from './directory-search-statements.ts'
import * as entries from './directory-statements.ts'

const fields = ['username', 'lastName']
const byName = { field: 'username', isAscending: true }
const after = { term: 'u7', id: 'U7' }
const search: EntrySearch = { directory: 'user', order: [byName], offset: 0, limit: 50 }
const beginning: EntrySearch = {
  ...search,
  matching: { fields, pattern: { text: 'u1234', place: 'initial', hasWildcards: false } },
}

onEachEngine('the plan of each statement about directories', (engine) => {
  const dialect = engine.name === 'sqlite' ? sqliteDialect : postgresDialect
  const keyOf = (table: string) => (engine.name === 'sqlite' ? `${table}.*(PRIMARY KEY|autoindex)` : `${table}_pkey`)

  const fill = async () => {
    const database = await engine.createDatabase()
    const store = await database.open()
    await store.transact(async ({ directories }) => {
      for (let number = 0; number < 3_000; number += 1) {
        const terms = { username: `u${number}`, lastName: `l${(number * 7919) % 3_000}` }
        await directories.insert(number % 10 === 0 ? 'group' : 'user', { id: `U${number}`, values: terms, terms })
      }
      for (let group = 0; group < 30; group += 1) {
        const targets = Array.from({ length: 100 }, (_, index) => `U${group * 100 + index}`)
        await directories.replaceTargets('members', `g${group}`, targets)
        await directories.replaceTargets('subGroups', `g${group}`, [`g${group + 1}`])
      }
    })
    if (engine.name === 'postgres') {
      await database.query(raw('VACUUM ANALYZE directory_entries, directory_terms, directory_references'))
    }
    return database
  }
  let filled: ReturnType<typeof fill> | undefined
  const planOf = async ({ sql: forSqlite, text, values }: SqlStatement) => {
    filled ??= fill()
    const explain = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN ' : 'EXPLAIN (COSTS OFF) '
    const database: TestDatabase = await filled
    const rows = await database.query({ sql: explain + forSqlite, text: explain + text, values })
    return rows.map((row) => row.at(-1)).join('\n')
  }

  test('is a search of its index, and reads no table from end to end', async () => {
    const byTarget = 'directory_references_by_target'
    const expectations: readonly (readonly [string, SqlStatement, string])[] = [
      ['find', entries.entryById('user', 'U7'), keyOf('directory_entries')],
      ['findAll', entries.entriesById(dialect, 'user', ['U7', 'U8']), keyOf('directory_entries')],
      ['search by a prefix', searches.foundEntries(dialect, beginning), keyOf('directory_terms')],
      ['search by a prefix, the entries', searches.foundEntries(dialect, beginning), keyOf('(directory_)?entries')],
      ['the count of a prefix', searches.entryCount(dialect, beginning), keyOf('directory_terms')],
      ['search by a term', searches.foundEntries(dialect, { ...search, terms: { username: 'u1234' } }), keyOf('directory_terms')],
      ['a page of all', searches.entriesByTerm(dialect, search, byName, []), keyOf('(directory_)?terms')],
      ['the keys of a page', searches.termKeys('user', byName, { after, offset: 9, limit: 50 }), keyOf('directory_terms')],
      ['where a page begins among its term', searches.keysOfTermBefore('user', byName, after), keyOf('directory_terms')],
      ['the count of all', searches.entryBehind('user', 'U7', 100), keyOf('directory_entries')],
      ['the count of the rest', searches.entriesBehind('user', 'U7'), keyOf('directory_entries')],
      ['removing terms', entries.deleteTerms(dialect, 'user', ['U7']), 'directory_terms_by_entry'],
      ['listTargets', references.targetsOf('members', 'g7'), keyOf('directory_references')],
      ['a page of targets', references.targetPage(dialect, 'members', 'g7', '', 20, 0), keyOf('directory_references')],
      ['targets by a prefix', references.targetPage(dialect, 'members', 'g7', 'u12', 20, 0), 'directory_references_by_term'],
      ['listSources', references.sourcesOf('members', 'U7'), byTarget],
      ['listAllSources', references.allSourcesOf(dialect, 'members', 'subGroups', ['U7']), byTarget],
      ['mapSources', references.sourceLinks(dialect, 'members', 'subGroups', ['U7', 'U2007']), byTarget],
      ['addTarget', references.addTarget('members', 'g7', 'U7'), keyOf('directory_references')],
      ['removeTarget', references.deleteTarget('members', 'g7', 'U7'), byTarget],
      ['removeSources', references.deleteSources('members', 'U7'), byTarget],
    ]
    for (const [name, statement, index] of expectations) {
      const plan = await planOf(statement)
      assert.match(plan, new RegExp(index), `${name} uses ${index}:\n${plan}`)
      assert.doesNotMatch(
        plan,
        /Seq Scan on directory|SCAN (directory_\w+|entries|terms|own|higher)\b/,
        `${name} scans:\n${plan}`,
      )
    }
  })

  test('takes the order of a page from the index', async () => {
    const pages = [
      searches.entriesByTerm(dialect, search, byName, []),
      searches.entriesByTerm(
        dialect,
        { ...search, order: [{ ...byName, isAscending: false }] },
        { ...byName, isAscending: false },
        [],
      ),
      references.targetPage(dialect, 'members', 'g7', '', 20, 0),
    ]
    for (const page of pages) {
      const plan = await planOf(page)
      assert.doesNotMatch(plan, /\bSort\b|TEMP B-TREE/, plan)
    }
  })

  test('of adding to a group looks at its last member only', async () => {
    const plan = await planOf(references.addTarget('members', 'g7', 'U7'))
    assert.match(
      plan,
      engine.name === 'sqlite' ? /SEARCH directory_references USING (COVERING )?INDEX/ : /Limit[\s\S]*Backward/,
      plan,
    )
  })
})
