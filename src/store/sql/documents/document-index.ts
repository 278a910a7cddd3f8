import sql, { raw } from 'sql-template-tag'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { BlobValue, Properties } from '../../../model/properties/property.ts'
import {
  blobKeys,
  type DocumentIndexing,
  type DocumentWords,
  entryOf,
  type FulltextEntry,
  type ListedValue,
} from '../../../nxql/document-indexing.ts'
import { wordCounts } from '../../../nxql/fulltext/fulltext-tokens.ts'
import { type AwaitingText, type TextSource, textSourceOf } from '../../file-texts.ts'
import { parseStoredJson } from '../../storable-text.ts'
import type { Rewindable, SqlConnection, SqlRow, TransactionConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import type { FulltextColumn } from '../search/search-dialect.ts'
import { releaseOfDocuments } from './blob-key-statements.ts'
import {
  deleteSome,
  deleteValues,
  deleteWords,
  fileTexts,
  insertListed,
  insertMissing,
  type ListedRow,
} from './document-index-statements.ts'
import type { FulltextRow } from './fulltext-table.ts'
import { keyLength } from './property-key.ts'
import { addTrigrams } from './trigram-rows.ts'

// The table word_counts has how often each word is in a document, by which matches are ordered: a line for each of these.
const lines: readonly FulltextColumn[] = ['everything', 'title', 'description']

/** On which line, counted from 0, the words of a column are. */
export function lineOf(column: FulltextColumn): number {
  return lines.indexOf(column)
}

export function fulltextRow(seq: number, words: DocumentWords): FulltextRow {
  const { everything, title, description } = entryOf(words)
  return { seq, everything, title, description, counts: lines.map((line) => countsOf(words[line])).join('\n') }
}

const countsOf = (texts: DocumentWords[FulltextColumn]) => wordCounts(texts.map(({ apart }) => apart))

export function hasWords(row: FulltextEntry): boolean {
  return lines.some((line) => row[line] !== '')
}

type WriteMode = 'insert' | 'replace'

/** Served by the primary key. */
const deleteWordCounts = (dialect: Dialect, seqs: readonly number[]) =>
  sql`DELETE FROM word_counts WHERE seq ${dialect.oneOfNumbers(seqs)}`

export const clearWordCounts = raw('DELETE FROM word_counts')

/** Each once. */
export function distinctSources(sources: readonly TextSource[]): readonly TextSource[] {
  return sources.length < 2 ? sources : [...new Map(sources.map((source) => [nameOf(source), source])).values()]
}

// To take so many away and to write them again costs no more than to look for what differs.
const fewValues = 20

/** What is known of the texts of files. */
interface KnownTexts {
  /** Undefined when it was not read yet. */
  find(blob: BlobValue): string | undefined
}

const nothing: KnownTexts = { find: () => undefined }

async function readKnownTexts(connection: SqlConnection, dialect: Dialect, blobs: readonly BlobValue[]): Promise<KnownTexts> {
  if (blobs.length === 0) return nothing
  const rows = await connection.all(fileTexts(dialect, distinctSources(blobs.map(textSourceOf))))
  const texts = new Map(
    rows.map(([key, mimeType, text]) => [nameOf({ key: key as string, mimeType: mimeType as string }), text as string]),
  )
  return { find: (blob) => texts.get(nameOf(textSourceOf(blob))) }
}

export function nameOf({ key, mimeType }: TextSource): string {
  return `${key} ${mimeType}`
}

export interface IndexTables {
  readonly connection: SqlConnection & Partial<TransactionConnection>
  readonly dialect: Dialect
  readonly indexing: DocumentIndexing
}

/** What is indexed of a document. */
export type Indexed = Pick<Document, 'id' | 'type' | 'facets' | 'properties'>

/** A document with the number of its row. */
export interface Numbered {
  readonly seq: number
  readonly document: Indexed
}

/** Keeps the words and the listed values of documents in step with their rows. */
export interface DocumentIndex extends Rewindable {
  add(documents: readonly Numbered[]): Promise<void>
  /** Writes nothing where nothing that is indexed has changed. */
  change(seq: number, before: Indexed, after: Indexed): Promise<void>
  remove(seqs: readonly number[]): Promise<void>
  addWords(documents: readonly Numbered[]): Promise<void>
  addValues(rows: readonly ListedRow[]): Promise<void>
  /** Words anew, whatever they were. */
  replaceWords(documents: readonly Numbered[]): Promise<void>
  /** What was written here and has files whose text was not read yet, by the id of the document. */
  readonly awaiting: ReadonlyMap<DocumentId, AwaitingText>
}

export function createDocumentIndex({ connection, dialect, indexing }: IndexTables): DocumentIndex {
  const awaiting = new Map<DocumentId, AwaitingText>()
  // Nothing but searches looks at words.
  const runLater = connection.runLater ?? connection.run
  const send = connection.send ?? connection.run
  const { trigrams } = dialect

  async function readRows(documents: readonly Numbered[]): Promise<readonly FulltextRow[]> {
    const blobs = documents.map(({ document }) => indexing.blobsOf(document.properties))
    const known = await readKnownTexts(connection, dialect, blobs.flat())
    return documents.map(({ seq, document }, index) => {
      const files = blobs[index] ?? []
      noteUnread(document.id, files.filter((blob) => known.find(blob) === undefined).map(textSourceOf))
      const fileTexts = files.flatMap((blob) => known.find(blob) ?? [])
      return fulltextRow(seq, indexing.wordsOf(document, indexing.textsOf(document), fileTexts))
    })
  }

  async function writeWords(rows: readonly FulltextRow[], mode: WriteMode): Promise<void> {
    if (rows.length > 0) for (const statement of dialect.fulltext[mode](rows)) await runLater(statement)
  }

  // No search finds what has no words, and what gets some later is replaced, whether it was there or not.
  const addWords = async (documents: readonly Numbered[]) => writeWords((await readRows(documents)).filter(hasWords), 'insert')

  const replaceWords = async (documents: readonly Numbered[]) => writeWords(await readRows(documents), 'replace')

  function noteUnread(documentId: DocumentId, sources: readonly TextSource[]): void {
    if (sources.length > 0) awaiting.set(documentId, { documentId, sources })
    else awaiting.delete(documentId)
  }

  async function addValues(rows: readonly ListedRow[]): Promise<void> {
    if (rows.length > 0) await send(insertListed(dialect, rows))
  }

  const addTexts = async (documents: readonly Numbered[]) => {
    if (trigrams !== undefined) await addTrigrams(runLater, trigrams, documents)
  }

  const removeTexts = async (seqs: readonly number[]) => {
    if (trigrams !== undefined) await runLater(trigrams.remove(seqs))
  }

  async function changeTexts(changed: Numbered): Promise<void> {
    await removeTexts([changed.seq])
    await addTexts([changed])
  }

  const release = (seqs: readonly number[]) => connection.run(releaseOfDocuments(dialect, seqs))

  const listedRows = ({ seq, document }: Numbered) => rowsOf(seq, indexing.valuesOf(document.properties))

  async function changeWords(seq: number, before: Indexed, after: Indexed): Promise<void> {
    const hasSameTexts = sameItems(indexing.textsOf(before), indexing.textsOf(after))
    if (hasSameTexts && sameItems(filesOf(before), filesOf(after))) return
    await replaceWords([{ seq, document: after }])
  }

  const filesOf = ({ properties }: Indexed) => indexing.blobsOf(properties).map((blob) => nameOf(textSourceOf(blob)))

  /** Writes what differs and no more where nothing goes or there are many: of a thousand collections mostly one comes or goes. */
  async function changeValues(seq: number, before: Indexed, after: Indexed): Promise<void> {
    const [old, rows] = [listedRows({ seq, document: before }), listedRows({ seq, document: after })]
    const [had, has] = [new Set(old.map(String)), new Set(rows.map(String))]
    const gone = old.filter((row) => !has.has(String(row)))
    const come = rows.filter((row) => !had.has(String(row)))
    if (gone.some(([, name]) => name === blobKeys)) await release([seq])
    if (gone.length > 0 && old.length <= fewValues) {
      await send(deleteValues(dialect, [seq]))
      return addValues(rows)
    }
    if (gone.length > 0) await send(deleteSome(dialect, seq, gone))
    if (come.length > 0) await send(insertMissing(dialect, come))
  }

  return {
    awaiting,
    addWords,
    addValues,
    replaceWords,
    mark() {
      const before = [...awaiting]
      return () => {
        awaiting.clear()
        for (const [id, text] of before) awaiting.set(id, text)
      }
    },
    async add(documents) {
      await addValues(documents.flatMap(listedRows))
      await addWords(documents)
      await addTexts(documents)
    },
    async change(seq, before, after) {
      const changed = touchedNames(before.properties, after.properties)
      const isOfSameKind = before.type === after.type && sameItems(before.facets, after.facets)
      if (!isOfSameKind || changed.some(indexing.isTexted)) await changeWords(seq, before, after)
      if (changed.some(indexing.isListed)) await changeValues(seq, before, after)
      if (changed.some((name) => trigrams?.properties.includes(name))) await changeTexts({ seq, document: after })
    },
    async remove(seqs) {
      if (seqs.length === 0) return
      await release(seqs)
      await Promise.all([
        runLater(deleteWords(dialect, seqs)),
        runLater(deleteWordCounts(dialect, seqs)),
        send(deleteValues(dialect, seqs)),
        removeTexts(seqs),
      ])
    },
  }
}

/** Of the columns that the statements select to index a document. */
export function numberedOf([seq, id, type, facets, properties]: SqlRow): Numbered {
  const document = {
    id: id as string,
    type: type as string,
    facets: facets === null ? [] : (parseStoredJson(facets as string) as readonly string[]),
    properties: parseStoredJson(properties as string) as Properties,
  }
  return { seq: seq as number, document }
}

/** Values as they are compared: the first characters, each once. */
export function rowsOf(seq: number, values: readonly ListedValue[]): readonly ListedRow[] {
  const rows = values.map(([name, value]): ListedRow => [seq, name, indexKey(value)])
  return values.some(([, value]) => value.length > keyLength)
    ? [...new Map(rows.map((row) => [String(row), row])).values()]
    : rows
}

function indexKey(value: string): string {
  return value.length > keyLength ? Array.from(value).slice(0, keyLength).join('') : value
}

/** A change leaves what it does not touch as the very same value, so looking at the values themselves is seldom needed. */
function touchedNames(before: Properties, after: Properties): readonly string[] {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  for (const name of Object.keys(before)) if (!(name in after)) names.push(name)
  return names
}

function sameItems(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}
