import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { onEachEngine, type TestDatabase } from '../../../test/support/engines.ts'
import { aStoredChild, aStoredProxy, aStoredVersion, insertAll, insertRoot } from '../../../test/support/stored-document.ts'
import type { Document } from '../../model/document.ts'
import { grant } from '../../model/rights/acl.ts'
import type { SortKey } from '../documents.ts'
import { differingDocuments, differingInLists, stampedByPath } from '../postgres/lookup-statements.ts'
import { postgresDialect } from '../postgres/postgres-dialect.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import type { SqlStatement } from './connection.ts'
import * as files from './documents/blob-key-statements.ts'
import { childrenCount, childrenPage, childrenSummary } from './documents/children-statements.ts'
import * as documents from './documents/document-statements.ts'
import { below } from './documents/path-range.ts'
import * as places from './documents/place-statements.ts'
import { propertyKey } from './documents/property-key.ts'
import { retentionsEnded } from './documents/sql-documents.ts'
import * as subtrees from './documents/subtree-statements.ts'
import * as jobs from './jobs/job-statements.ts'
import * as acps from './rights/acp-statements.ts'
import { listedItems } from './search/listed-items.ts'
import { prepare } from './search/search-run.ts'
import * as transients from './transient-statements.ts'

const byTitle = (descending: boolean): SortKey => ({ by: { kind: 'property', name: 'dc:title', isNumeric: false }, descending })
const bySource: SortKey = { by: { kind: 'property', name: 'note:source', isNumeric: false }, descending: true }
const byPosition: SortKey = { by: { kind: 'column', name: 'position' }, descending: false }
const dated = { end: '2024-06-01T00:00:00.000Z' }
const visibleOnly = { hiddenTypes: ['HiddenFolder'] }

/** What one engine alone asks for, together for all of a turn. */
function turnExpectations(ids: readonly string[], path: string): readonly (readonly [string, SqlStatement, string])[] {
  const asked = new Map(ids.map((id, index) => [id, index === 0 ? '7' : null]))
  return [
    ['documents of a turn', differingDocuments(asked), 'documents_id_key'],
    ['pages of a turn', differingInLists(asked), 'documents_id_key'],
    ['paths of a turn', stampedByPath([path, '/']), 'documents_by_path'],
  ]
}

onEachEngine('the plan of each statement', (engine) => {
  const dialect = engine.name === 'sqlite' ? sqliteDialect : postgresDialect
  const uniqueId = engine.name === 'sqlite' ? 'sqlite_autoindex_documents_1' : 'documents_id_key'

  /** Enough rows for the planner to care. */
  const fill = async () => {
    const database = await engine.createDatabase()
    const store = await database.open({
      indexedProperties: [
        { name: 'dc:source', kind: 'string' },
        { name: 'nt:processId', kind: 'string', isSparse: true },
      ],
    })
    const root = await insertRoot(store)
    const folders = Array.from({ length: 15 }, (_, index) => aStoredChild(root, `folder${index}`))
    const children = folders.flatMap((folder) =>
      Array.from({ length: 200 }, (_, index) =>
        aStoredChild(folder, `n${index}`, {
          properties: {
            'dc:title': `title ${(index * 7919) % 200}`,
            'dc:source': `s${index}`,
            ...(index % 20 === 0 && { 'nt:processId': `p${index}` }),
          },
          ...(index % 20 === 0 && { acls: [{ name: 'local', aces: [grant('alice', 'Read', index === 0 ? dated : {})] }] }),
        }),
      ),
    )
    const first = children[0] as Document
    const proxies = children.slice(0, 300).map((child, index) => aStoredProxy(root, `proxy${index}`, child))
    const extra = [aStoredVersion(first), aStoredVersion(first), ...proxies]
    const held = aStoredChild(root, 'held', { hasLegalHold: true })
    await insertAll(store, ...folders, ...children, ...extra, held)
    await analyze(database)
    return { database, folder: folders[3] as Document, child: first }
  }
  let filled: ReturnType<typeof fill> | undefined
  const readFilled = () => {
    filled ??= fill()
    return filled
  }

  test('is a search of its index, and reads no table from end to end', async () => {
    const { database, folder, child } = await readFilled()
    const { id, path } = { id: child.id, path: folder.path as string }
    const filter = { parentId: folder.id, readableAcps: [1, 2, 3], visibleOnly }
    const expectations: readonly (readonly [string, SqlStatement, string])[] = [
      ['find', documents.documentById(id), uniqueId],
      ['findForUpdate', documents.lockedDocument(dialect, id, dialect.forUpdate), uniqueId],
      ['findByPath', documents.documentByPath(path), 'documents_by_path'],
      ['findChild', documents.documentByName(folder.id, 'n7'), 'documents_by_name'],
      ['listTakenNames', documents.childrenNamed(dialect, folder.id, ['n7', 'n8']), 'documents_by_name'],
      ['hasChild', documents.childNamed(folder.id, 'n7'), 'documents_by_name'],
      ['findAll', documents.documentsById(dialect, [id, folder.id]), uniqueId],
      ['findAllByPath', documents.documentsByPath(dialect, [path, '/']), 'documents_by_path'],
      ['a page by title', childrenPage(dialect, filter, [byTitle(false)], 50, 0), 'documents_by_title'],
      ['a page by title, descending', childrenPage(dialect, filter, [byTitle(true)], 50, 0), 'documents_by_title'],
      ['a page by position', childrenPage(dialect, filter, [byPosition], 50, 0), 'documents_by_position'],
      ['a page by another property', childrenPage(dialect, filter, [bySource], 50, 0), 'documents_(by_|visible)'],
      ['summariseChildren', childrenSummary(dialect, [id, folder.id], 'dc:source', [1, 2, 3]), 'documents_(by_|visible)'],
      ['countChildren', childrenCount(dialect, filter, 100), 'documents_visible'],
      ['lastPosition', places.lastPosition(folder.id), 'documents_by_position'],
      ['countProxies', documents.proxyCount(dialect, id, [1, 2]), 'documents_by_series'],
      ['listVersions', documents.versionsOf(dialect, id, 50, 0), 'documents_by_series'],
      ['findLatestVersion', documents.latestVersionOf(id), 'documents_by_series'],
      ['findRetained', subtrees.retainedBelow(path, '2024'), 'documents_retained'],
      ['listRetentionsEnded', retentionsEnded('2024', ['2023', id], 100), 'documents_by_retention'],
      ['findProxyInto', subtrees.proxyInto(path), 'documents_by_(path|target)'],
      ['update', documents.updateDocument(child, child), uniqueId],
      ['listChildIds', places.childIds(folder.id), 'documents_(by_|visible)'],
      ['setPositions', places.setPositions(dialect, [id, folder.id]), uniqueId],
      ['holding the new parent', places.pathForShare(dialect, id), uniqueId],
      ['moving a document', places.moveDocument(id, { parentId: folder.id, name: 'n', path: '/n', position: 1 }, 1), uniqueId],
      ['finding another of the name', places.otherChildNamed(id, folder.id, 'n7'), 'documents_by_name'],
      ['listBelow', subtrees.documentsBelow(path, path, 100), 'documents_by_path'],
      ['listRenamedByTrash', subtrees.renamedByTrash(path), 'documents_by_path'],
      ['listProxiesBelow', subtrees.proxiesBelow(path), 'documents_proxies'],
      ['listProxies', documents.proxiesOf(id), 'documents_by_series'],
      ['listProxies in a folder', documents.proxiesIn(folder.id, id), 'documents_by_series'],
      ['locking a subtree', subtrees.lockSubtree(dialect, path), 'documents_by_path'],
      ['locking what an attempt asked for', subtrees.lockAhead(dialect, [id], [path]), 'documents_by_path'],
      ['the longest path below', subtrees.longestPathBelow(path), 'documents_by_path'],
      ['moving a subtree', subtrees.moveBelow(path, '/elsewhere'), 'documents_by_path'],
      [
        'moving a subtree to other rights',
        subtrees.moveBelowWithRights(dialect, path, '/elsewhere', [[1, 2]]),
        'documents_by_path',
      ],
      ['setTrashedBelow', subtrees.setTrashedBelow(path, true), 'documents_by_path'],
      ['removeSubtree', subtrees.deleteSubtree(path), 'documents_by_path'],
      ['below a path', sql`SELECT id FROM documents WHERE ${below(path)}`, 'documents_by_path'],
      ['rights below', acps.rightsBelow(path), 'documents_with_acls'],
      ['own ACLs', acps.ownAcls(path), 'documents_with_acls'],
      ['entries that turned', acps.turnedBetween(dialect, '2024', '2025'), 'documents_with_dates'],
      ['replacing lists', acps.replaceAcps(dialect, path, [[1, 2]]), 'documents_by_path'],
      ['versions follow', acps.versionsFollowBelow(path), 'documents_by_'],
      ['versions of what is gone', acps.clearVersions(dialect, [id, folder.id], 1), 'documents_by_series'],
      [
        'an indexed property',
        sql`SELECT id FROM documents WHERE ${propertyKey(dialect, 'dc:source', 'string')} = ${'s7'}`,
        'documents_property_dc_source',
      ],
      ...[sql`= ${'p20'}`, sql`${dialect.oneOfTexts(['p20', 'p40'])}`, sql`> ${'p8'}`].map(
        (test) =>
          [
            'a property that few have',
            sql`SELECT id FROM documents WHERE ${propertyKey(dialect, 'nt:processId', 'string')} ${test}`,
            'documents_property_nt_processid',
          ] as const,
      ),
      ...(engine.name === 'postgres' ? turnExpectations([id, folder.id], path) : []),
    ]
    for (const [name, statement, index] of expectations) {
      const plan = await planOf(database, statement)
      assert.match(plan, new RegExp(index), `${name} uses ${index}:\n${plan}`)
      assert.doesNotMatch(plan, /Seq Scan on documents|SCAN (documents|target|proxy|live)\b/, `${name} scans:\n${plan}`)
    }
  })

  test('takes the order of a page from the index', async () => {
    const { database, folder } = await readFilled()
    for (const key of [byTitle(false), byTitle(true), byPosition]) {
      const plan = await planOf(database, childrenPage(dialect, { parentId: folder.id, visibleOnly }, [key], 50, 0))
      assert.doesNotMatch(plan, /\bSort\b|TEMP B-TREE/, plan)
    }
  })

  test('of counting children reads no document', async () => {
    const { database, folder } = await readFilled()
    const all = { parentId: folder.id, visibleOnly }
    const readable = { ...all, readableAcps: [1, 2, 3] }
    for (const filter of [all, readable, { ...readable, onlyTypes: { types: ['Folder'], facet: 'Folderish' } }]) {
      const plan = await planOf(database, childrenCount(dialect, filter, 10_000))
      assert.match(plan, /(COVERING INDEX|Index Only Scan using) documents_visible/, plan)
    }
  })

  test('of replacing lists finds the successor of each without going through all', async () => {
    const { database, folder } = await readFilled()
    const plan = await planOf(database, acps.replaceAcps(dialect, folder.path as string, [[1, 2]]))
    // PostgreSQL hashes them once there are many, and there are not here.
    if (engine.name === 'sqlite') assert.match(plan, /SEARCH pairs USING AUTOMATIC COVERING INDEX/, plan)
  })

  test('of taking a job goes by whose turn it is', async () => {
    const { database } = await readFilled()
    await database.query(sql`
      INSERT INTO jobs (kind, payload, state, attempts, run_after, due, owner)
      SELECT 'mail', '1', 'waiting', 0, '2024', path, path FROM documents WHERE path IS NOT NULL`)
    await analyze(database)
    const statements = [
      jobs.claimJob(dialect, ['mail', 'other'], '2024', '2025', jobs.ownersAfter('bob')),
      jobs.claimJob(dialect, ['mail'], '2024', '2025', jobs.ownerIs('bob')),
      jobs.nextOwner(['mail', 'other'], '2024', jobs.ownersAfter('bob')),
      jobs.nextOwner(['mail', 'other'], '2024', jobs.ownersAfter(undefined)),
      jobs.claimJob(dialect, ['mail'], '2024', '2025', jobs.ownersAfter(undefined)),
    ]
    for (const statement of statements) {
      const plan = await planOf(database, statement)
      assert.match(plan, /jobs_by_turn/)
      assert.doesNotMatch(plan, /SCAN jobs|Seq Scan on jobs|jobs_by_(?!turn)/, plan)
    }
    // PostgreSQL may know that fewer jobs are begun than the owner has.
    assert.match(await planOf(database, jobs.runningJobCountOf(dialect, 'bob', ['mail'], '1970')), /jobs_by_(turn|due)/)
    const kinds = await planOf(database, jobs.dueKinds('2024'))
    assert.match(kinds, /jobs_by_kind/)
    assert.doesNotMatch(kinds, /SCAN jobs(?! USING COVERING INDEX jobs_by_kind)|Seq Scan on jobs/)
  })

  test('of transient values with the same beginning is a range of their keys', async () => {
    const { database } = await readFilled()
    await database.query(sql`
      INSERT INTO transient_values (key, value, expires)
      SELECT 'up/' || path, '1', '2025' FROM documents WHERE path IS NOT NULL`)
    await analyze(database)
    const key =
      engine.name === 'sqlite'
        ? /SEARCH transient_values USING (?:COVERING )?INDEX sqlite_autoindex_transient_values_1 \(key>\? AND key<\?\)/
        : /transient_values_pkey/
    const statements = [
      transients.transientsByPrefix('up/folder3/', '2024'),
      transients.renewTransients('up/folder3/', '2026', '2024'),
      transients.deleteTransients('up/folder3/'),
    ]
    for (const statement of statements) {
      const plan = await planOf(database, statement)
      assert.match(plan, key)
      assert.doesNotMatch(plan, /Seq Scan|\bSort\b|TEMP B-TREE/, plan)
    }
    const ofSome = await planOf(database, transients.transientsByKey(dialect, ['up//folder3', 'up//folder4'], '2024'))
    assert.match(ofSome, engine.name === 'sqlite' ? /INDEX sqlite_autoindex_transient_values_1 \(key=\?\)/ : key)
  })

  test('of what looks for the keys of files is a search of an index', async () => {
    const { database } = await readFilled()
    await database.query(sql`
      INSERT INTO document_values (name, value, seq) SELECT 'ecm:blobKeys', 'key' || seq, seq FROM documents WHERE seq > 1`)
    await database.query(
      sql`INSERT INTO released_files (file_key, seq, released) SELECT 'key' || seq, seq, '2024' FROM documents`,
    )
    await database.query(sql`
      INSERT INTO file_texts (file_key, mime_type, text) SELECT 'key' || seq, 'text/plain', 'x' FROM documents`)
    if (engine.name === 'postgres') await database.query(raw('VACUUM ANALYZE document_values, released_files, file_texts'))
    const keys = ['key7', 'key8']
    const expectations: readonly (readonly [string, SqlStatement, RegExp])[] = [
      ['usedKeys', files.usedKeys(dialect, keys), /document_values/],
      ['usedDigests', files.usedDigests(dialect, keys), /document_values/],
      ['propertiesWithDigest', files.propertiesWithDigest('key7', 10), /used USING PRIMARY KEY|document_values_pkey/],
      ['oldAddresses', files.oldAddresses('0', 10), /document_values/],
      ['oldAddressCount', files.oldAddressCount, /document_values/],
      ['keyCount', files.keyCount, /document_values/],
      ['documentTally', documents.documentTally(7, 10), /INTEGER PRIMARY KEY|documents_pkey/],
      ['blobHolders', files.blobReferrers('key7', 7, 10), /used USING PRIMARY KEY|document_values_pkey/],
      ['copyTexts', files.copyTexts('key7', 'key8'), /file_texts/],
      ['releasedKeys', files.releasedKeys(dialect, keys, '2023'), /released_files/],
      ['releaseOfDocuments', files.releaseOfDocuments(dialect, [7, 8]), /document_values_by_document/],
      ['deleteReleases', files.deleteReleases('2023'), /released_files_by_time/],
      ['deleteTextsOf', files.deleteTextsOf(dialect, keys), /file_texts/],
      ['blobUses', files.blobUses('key7', 7, 10), /used USING PRIMARY KEY|document_values_pkey/],
      ['placedFiles', files.placedFiles('/folder7', undefined, 10), /documents_by_path/],
      ['placedFiles after', files.placedFiles('/folder7', '/folder7/n1', 10), /documents_by_path/],
      ['placedVersions', files.placedVersions('/folder7', undefined, 10), /documents_by_path|documents_by_series/],
      [
        'placedVersions after',
        files.placedVersions('/folder7', { path: '/folder7/n1', seq: 7 }, 10),
        /documents_by_path|documents_by_series/,
      ],
      ['transientTexts', files.transientTexts('x', 10), /transient_values/],
      ['jobTexts', files.jobTexts(7, 10), /jobs/],
    ]
    for (const [name, statement, index] of expectations) {
      const plan = await planOf(database, statement)
      assert.match(plan, index, `${name}: ${plan}`)
      assert.doesNotMatch(plan, /Seq Scan|SCAN (?!json_each)(?!texts)(?!page)/, `${name}: ${plan}`)
    }
  })

  test('of the items of a list goes from one to the next, and keeps their order by looking for documents of each by itself', async () => {
    const { database } = await readFilled()
    const window = { name: 'nxtag:tags/*/label', prefix: 's', limit: 10 }
    const run = { now: '2031-01-01T00:00:00.000Z', readableAcps: [1, 2], limit: 10, offset: 0 }
    for (const isRestricted of [false, true]) {
      const plan = await planOf(database, prepare(listedItems({ dialect, isRestricted }, window), '')(run))
      assert.doesNotMatch(plan, /(?:Semi|Merge|Hash) Join|HashAggregate/, plan)
      assert.match(plan, engine.name === 'sqlite' ? /CORRELATED SCALAR SUBQUERY/ : /CASE WHEN .*SubPlan/, plan)
    }
  })

  // PostgreSQL gathers statistics and tidies up by itself and soon; on SQLite nothing does, and the plans must be right without.
  async function analyze(database: TestDatabase): Promise<void> {
    if (engine.name !== 'postgres') return
    // Rows whose commit is not on disk yet, as may be with the tests' server, do not count as seen by all.
    await database.query(raw('CHECKPOINT'))
    for (const patience = AbortSignal.timeout(10_000); ; await wait(50, undefined, { signal: patience })) {
      await database.query(raw('VACUUM ANALYZE documents, jobs, transient_values'))
      // Nor do those that are younger than what another test has under way on the same server: an index alone serves once they do.
      const [pages] = await database.query(raw("SELECT relpages, relallvisible FROM pg_class WHERE oid = 'documents'::regclass"))
      if (Number(pages?.[1]) > Number(pages?.[0]) * 0.9) return
    }
  }

  async function planOf(database: TestDatabase, { sql: forSqlite, text, values }: SqlStatement): Promise<string> {
    const explain = engine.name === 'sqlite' ? 'EXPLAIN QUERY PLAN ' : 'EXPLAIN (COSTS OFF) '
    const rows = await database.query({ sql: explain + forSqlite, text: explain + text, values })
    return rows.map((row) => row.at(-1)).join('\n')
  }
})
