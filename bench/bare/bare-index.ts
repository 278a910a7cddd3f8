import { createDocumentIndexing } from '../../src/nxql/document-indexing.ts'
import type { SqlStatement } from '../../src/store/sql/connection.ts'
import { fulltextRow, hasWords, type Indexed, rowsOf } from '../../src/store/sql/documents/document-index.ts'
import { insertListed } from '../../src/store/sql/documents/document-index-statements.ts'
import type { TrigramTable } from '../../src/store/sql/documents/trigram-rows.ts'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import type { BareDatabase } from './bare-database.ts'

const indexing = createDocumentIndexing(builtinModel)

export interface BareIndex {
  /** The words of a new document, parts of words, and the items of its lists; all but these wait for `writeWords`. */
  add(seq: number, document: Indexed): Promise<void>
  /** Right before the commit, as the server does it: SQLite writes out what words it has gathered at every other statement. */
  writeWords(): Promise<void>
  /** Other words than it had. */
  replaceWords(seq: number, document: Indexed): Promise<void>
}

/** What a document that is written needs beside its row, so that queries find it. */
export function createBareIndex({ dialect, prepare }: BareDatabase): BareIndex {
  const { fulltext, trigrams } = dialect
  const rowOf = (seq: number, document: Indexed) => fulltextRow(seq, indexing.wordsOf(document, indexing.textsOf(document), []))
  const nothing = fulltextRow(0, { everything: [], title: [], description: [] })
  const inserts = fulltext.insert([nothing]).map(prepare)
  const replaces = fulltext.replace([nothing]).map(prepare)
  // A text for each number of items that a document has.
  const listed = new Map<string, ReturnType<typeof prepare>>()
  const addListed = (statement: SqlStatement) => {
    const prepared = listed.get(statement.sql) ?? prepare(statement)
    listed.set(statement.sql, prepared)
    return prepared(statement.values)
  }
  const insertParts = trigrams && prepare(trigrams.insert({ seq: 0, texts: [] }))
  let waiting: (() => Promise<unknown>)[] = []

  function addParts(table: TrigramTable, seq: number, { properties }: Indexed): void {
    const texts = table.properties.map((name) => properties[name]).map((text) => (typeof text === 'string' ? text : undefined))
    waiting.push(async () => insertParts?.(table.insert({ seq, texts }).values))
  }

  return {
    async add(seq, document) {
      const values = rowsOf(seq, indexing.valuesOf(document.properties))
      const row = rowOf(seq, document)
      if (values.length > 0) await addListed(insertListed(dialect, values))
      if (hasWords(row)) {
        for (const [at, { values }] of fulltext.insert([row]).entries()) waiting.push(async () => inserts[at]?.(values))
      }
      if (trigrams !== undefined) addParts(trigrams, seq, document)
    },
    async writeWords() {
      const due = waiting
      waiting = []
      await Promise.all(due.map((write) => write()))
    },
    async replaceWords(seq, document) {
      const row = rowOf(seq, document)
      await Promise.all(fulltext.replace([row]).map(({ values }, at) => replaces[at]?.(values)))
    },
  }
}
