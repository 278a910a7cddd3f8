import { raw } from 'sql-template-tag'
import type { Log } from '../../../base/log.ts'
import type { DocumentId } from '../../../model/document.ts'
import type { DocumentIndexing } from '../../../nxql/document-indexing.ts'
import { readTextsKind } from '../../file-texts.ts'
import { createJobWriter } from '../jobs/sql-jobs.ts'
import { clearWordCounts, createDocumentIndex, type IndexTables, type Numbered, numberedOf, rowsOf } from './document-index.ts'
import * as statements from './document-index-statements.ts'

export const wordsPrefix = 'ecm:fulltext '

/**
 * Brings the tables that queries search to what the model and the settings ask for: documents of an older database and of another
 * model are indexed here, all others when they are written. To be called in a transaction that keeps other processes out.
 */
export async function fillDocumentIndex(tables: IndexTables, log: Log): Promise<void> {
  const { connection, dialect, indexing } = tables
  const wanted = new Set([...indexing.names, wordsPrefix + indexing.textRules])
  const present = new Set((await connection.all(statements.listFilledIndexes)).map(([name]) => name as string))
  for (const name of present.difference(wanted)) await forget(tables, name)
  const missing = wanted.difference(present)
  if (missing.size > 0) await fill(tables, missing, log)
  for (const name of missing) await connection.run(statements.addFilledIndex(name))
  for (const statement of dialect.fulltext.indexes) await connection.run(raw(statement))
}

async function forget({ connection, dialect }: IndexTables, name: string): Promise<void> {
  if (name.startsWith(wordsPrefix)) {
    for (const statement of dialect.fulltext.clear) await connection.run(raw(statement))
    await connection.run(clearWordCounts)
  } else {
    await connection.run(statements.deleteValuesNamed(name))
  }
  await connection.run(statements.removeFilledIndex(name))
}

const documentsAtOnce = 1_000
const documentsBetweenNotes = 100_000

async function fill(tables: IndexTables, names: ReadonlySet<string>, log: Log): Promise<void> {
  let done = 0
  for (let after = 0; ; ) {
    const page = (await tables.connection.all(statements.indexedPage(after, documentsAtOnce))).map(numberedOf)
    await indexPage(tables, page, names)
    done += page.length
    if (done % documentsBetweenNotes === 0 && done > 0)
      log.info({ event: 'store.indexing', documents: done }, 'documents indexed')
    if (page.length < documentsAtOnce) break
    after = page.at(-1)?.seq ?? after
  }
  if (done > 0) log.info({ event: 'store.indexed', documents: done, indexes: [...names] }, 'all documents indexed')
}

async function indexPage(tables: IndexTables, page: readonly Numbered[], names: ReadonlySet<string>): Promise<void> {
  const index = createDocumentIndex(tables)
  await index.addValues(page.flatMap((one) => namedValues(one, tables.indexing, names)))
  if (![...names].some((name) => name.startsWith(wordsPrefix))) return
  await index.addWords(page)
  await leaveFilesToRead(tables, [...index.awaiting.keys()])
}

function namedValues({ seq, document }: Numbered, indexing: DocumentIndexing, names: ReadonlySet<string>) {
  return rowsOf(
    seq,
    indexing.valuesOf(document.properties).filter(([name]) => names.has(name)),
  )
}

const documentsInOneJob = 200

/** Reading files takes long, and not every process can read all of them: one that can claims these jobs. */
async function leaveFilesToRead({ connection, dialect }: IndexTables, awaiting: readonly DocumentId[]): Promise<void> {
  const jobs = createJobWriter(connection, dialect, { onAdded: () => {}, requireKnown: () => {} })
  for (let start = 0; start < awaiting.length; start += documentsInOneJob) {
    await jobs.add(readTextsKind, { documentIds: awaiting.slice(start, start + documentsInOneJob) })
  }
}
