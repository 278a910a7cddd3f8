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

/** Keeps that table in step with the rows of documents; does nothing where there is none. */
export interface TrigramRows {
  add(documents: readonly Propertied[]): Promise<void>
  /** After properties of these names have changed. */
  change(changed: readonly string[], document: Propertied): Promise<void>
  remove(seqs: readonly number[]): Promise<void>
}

export function createTrigramRows(
  run: (statement: SqlStatement) => Promise<unknown>,
  table: TrigramTable | undefined,
): TrigramRows {
  if (table === undefined) return nothing
  const { properties, insert, remove: removal } = table

  async function add(documents: readonly Propertied[]): Promise<void> {
    for (const { seq, document } of documents) {
      const texts = properties.map((name) => textOf(document.properties[name]))
      if (texts.some((text) => text !== undefined)) await run(insert({ seq, texts }))
    }
  }

  async function remove(seqs: readonly number[]): Promise<void> {
    await run(removal(seqs))
  }

  return {
    add,
    remove,
    async change(changed, document) {
      if (!changed.some((name) => properties.includes(name))) return
      await remove([document.seq])
      await add([document])
    },
  }
}

const nothing: TrigramRows = { add: async () => {}, change: async () => {}, remove: async () => {} }

function textOf(value: Properties[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
