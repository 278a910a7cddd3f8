import { createDocumentIndexing } from '../../src/nxql/document-indexing.ts'
import { type Indexed, rowsOf, writeWordCounts } from '../../src/store/sql/documents/document-index.ts'
import { insertValues } from '../../src/store/sql/documents/document-index-statements.ts'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import type { BareDatabase } from './bare-database.ts'

const indexing = createDocumentIndexing(builtinModel)

export interface BareIndex {
  /** The words of a new document, and the items of its lists. */
  add(seq: number, document: Indexed): Promise<void>
  /** Other words than it had. */
  replaceWords(seq: number, document: Indexed): Promise<void>
}

/** What a document that is written needs beside its row, so that queries find it. */
export function createBareIndex({ dialect, prepare }: BareDatabase): BareIndex {
  const { fulltext } = dialect
  const rowOf = (seq: number, document: Indexed) => ({ seq, ...indexing.entryOf(document, indexing.textsOf(document), []) })
  const nothing = { seq: 0, everything: '', title: '', description: '' }
  const insert = prepare(fulltext.insert([nothing]))
  const replace = prepare(fulltext.replace([nothing]))
  const insertCounts = prepare(writeWordCounts(dialect, [nothing], 'insert'))
  const replaceCounts = prepare(writeWordCounts(dialect, [nothing], 'replace'))
  const insertListed = prepare(insertValues(dialect, []))
  return {
    async add(seq, document) {
      const values = rowsOf(seq, indexing.valuesOf(document.properties))
      const row = rowOf(seq, document)
      await Promise.all([
        insert(fulltext.insert([row]).values),
        insertCounts(writeWordCounts(dialect, [row], 'insert').values),
        insertListed(insertValues(dialect, values).values),
      ])
    },
    async replaceWords(seq, document) {
      const row = rowOf(seq, document)
      await Promise.all([
        replace(fulltext.replace([row]).values),
        replaceCounts(writeWordCounts(dialect, [row], 'replace').values),
      ])
    },
  }
}
