import type { Properties } from '../../../model/properties/property.ts'
import type { SqlStatement } from '../connection.ts'

/** The texts of a document in the order of the table's properties. */
export interface TrigramRow {
  readonly seq: number
  readonly texts: readonly (string | undefined)[]
}

/** A table of texts that are found by any three letters in a row, of an engine that has no index for it which keeps itself. */
export interface TrigramTable {
  readonly properties: readonly string[]
  /** One row a statement: FTS5 writes out what it has gathered before each that could fail in the middle. */
  insert(row: TrigramRow): SqlStatement
  remove(seqs: readonly number[]): SqlStatement
}

interface Propertied {
  readonly seq: number
  readonly document: { readonly properties: Properties }
}

type Run = (statement: SqlStatement) => Promise<unknown>

/** Of documents that have no row yet, or none any more. */
export async function addTrigrams(
  run: Run,
  { properties, insert }: TrigramTable,
  documents: readonly Propertied[],
): Promise<void> {
  for (const { seq, document } of documents) {
    const texts = properties.map((name) => textOf(document.properties[name]))
    if (texts.some((text) => text !== undefined)) await run(insert({ seq, texts }))
  }
}

function textOf(value: Properties[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
