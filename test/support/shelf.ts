import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document } from '../../src/model/document.ts'
import { joinPath } from '../../src/model/path-segment.ts'
import { compileQuery } from '../../src/nxql/compile-query.ts'
import { createDocumentIndexing } from '../../src/nxql/document-indexing.ts'
import type {
  SearchScope,
  SearchValue,
  SearchWindow,
  SummarisedPart,
  Summary,
  SummaryField,
  SummaryParts,
  SummaryResult,
} from '../../src/store/search.ts'
import type { Engine, TestDatabase } from './engines.ts'
import { queryModel } from './nxql/query-model.ts'
import { aStoredDocument, insertAll } from './stored-document.ts'

export const now = '2024-05-01T12:00:00.000Z'

/** A few documents of a store, asked by queries. Each is called by the last part of its path, which is its id as well. */
export interface Shelf {
  /** The names of what is found, in order. */
  find(query: string, asked?: Asked): Promise<string>
  /** The same as a page, with what it tells of the rest. */
  page(query: string, asked: Asked): Promise<{ readonly names: string; readonly hasMore: boolean; readonly total?: number }>
  rows(query: string, asked?: Asked): Promise<readonly (readonly SearchValue[])[]>
  count(query: string, limit?: number): Promise<number>
  countRows(query: string): Promise<number>
  summarise(query: string, summary: Summary): Promise<SummaryResult>
  summariseParts(query: string, summary: Summary, ...partings: SummaryParts[]): Promise<readonly SummarisedPart[] | undefined>
}

type Asked = Partial<SearchScope & SearchWindow>

/** Documents by their paths below the root, each behind the folder it is in. */
export type Stock = { readonly [path: string]: Partial<Document> }

const indexing = createDocumentIndexing(queryModel)
const indexedProperties = [
  { name: 'dc:title', kind: 'string' },
  { name: 'dc:created', kind: 'date' },
] as const

/** Stored once for all tests that ask. */
export function shelfWith(engine: Engine, stock: Stock): () => Promise<Shelf> {
  let filled: Promise<TestDatabase> | undefined
  const fill = async () => {
    const database = await engine.createDatabase()
    await insertAll(await database.open({ indexing, indexedProperties }), ...documentsOf(stock))
    return database
  }
  return async () => {
    filled ??= fill()
    const database = await filled
    const { search } = (await database.open({ indexing, indexedProperties })).reader
    const compile = (text: string) => compileQuery(queryModel, text, { form: 'records' })
    const window = ({ offset = 0, limit }: Asked = {}): SearchWindow => ({ offset, ...(limit !== undefined && { limit }) })
    const scope = (asked: Asked = {}): SearchScope => ({ now, ...asked })
    return {
      find: async (text, asked) => (await search.listIds(compile(text), scope(asked), window(asked))).join(' '),
      page: async (text, asked) => {
        const { ids, ...page } = await search.listPageOfIds(compile(text), scope(asked), window(asked))
        return { names: ids.join(' '), ...page }
      },
      rows: (text, asked) => search.listRows(compile(text), scope(asked), window(asked)),
      count: (text, limit) => search.count(compile(text), { now }, 'documents', limit),
      countRows: (text) => search.count(compile(text), { now }, 'rows', undefined),
      summarise: (text, summary) => search.summarise(compile(text), { now }, summary),
      summariseParts: (text, summary, ...partings) => search.summariseParts(compile(text), { now }, summary, partings),
    }
  }
}

function documentsOf(stock: Stock): readonly Document[] {
  const root = aStoredDocument({ id: 'root', type: 'Root' })
  const known = new Map([['', root]])
  for (const [path, given] of Object.entries(stock)) {
    const parent = known.get(path.slice(0, Math.max(0, path.lastIndexOf('/')))) ?? root
    const name = path.slice(path.lastIndexOf('/') + 1)
    const place = { parentId: parent.id, path: joinPath(parent.path ?? '/', name) }
    known.set(path, aStoredDocument({ id: name, name, type: 'Specimen', ...place, ...given }))
  }
  return [...known.values()]
}

/** What a summary is about, by its name in queries. */
export function fieldNamed(name: string): SummaryField {
  const { where } = compileQuery(queryModel, `SELECT * FROM Document WHERE ${name} IS NOT NULL`)
  if (where.kind !== 'value') throw new Error(`No such field: ${name}`)
  return { kind: 'reference', reference: where.reference }
}

export type Expectation = readonly [condition: string, names: string]

/** Makes a test of a rule: of each condition, what it finds. */
export function rulesOn(open: () => Promise<Shelf>, from = 'Specimen') {
  return (name: string, ...expectations: readonly Expectation[]) =>
    test(name, async () => {
      const shelf = await open()
      for (const [condition, names] of expectations) {
        assert.equal(await shelf.find(`SELECT * FROM ${from} WHERE ${condition}`), names, condition)
      }
    })
}
