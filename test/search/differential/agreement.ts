import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { compileQuery } from '../../../src/nxql/compile-query.ts'
import { failedQuery } from '../../../src/nxql/failed-query.ts'
import type { Query } from '../../../src/nxql/query.ts'
import type { SearchValue, Summary } from '../../../src/store/search.ts'
import type { Random } from '../../faults/kill/random.ts'
import type { Candidate } from '../../support/nxql/evaluator.ts'
import { happens } from './chance.ts'
import { canonical, expectedIds, expectedRows, hasScore, isInOrder, typesOf } from './expectation.ts'
import { expectedSummary, summaryText } from './expected-summary.ts'
import { type QueryParts, simpler, textOf } from './query-text.ts'
import { acpCount } from './random-documents.ts'
import { aSummary } from './random-summary.ts'
import { now } from './random-values.ts'
import type { EngineWorld, World } from './world.ts'

/** For whom a query runs, and which of its results are looked at. */
export interface Look {
  /** What is asked about all documents at once. */
  readonly summary?: Summary
  /** Numbers of the lists of entries that the caller may browse; undefined for whoever may browse all. */
  readonly readable?: readonly number[]
  readonly offset: number
  readonly limit?: number
}

export function aLook(random: Random, { model, subjects }: World): Look {
  const readable = Array.from({ length: acpCount }, (_, list) => list).filter(() => happens(random, 0.6))
  return {
    ...(happens(random, 0.3) && { readable }),
    ...(happens(random, 0.3) && { summary: aSummary(random, model, subjects) }),
    offset: happens(random, 0.2) ? random.between(0, 10) : 0,
    ...(happens(random, 0.3) && { limit: random.between(1, 15) }),
  }
}

/** Whether the query was understood. @throws with the simplest query on which the engines and the definition differ */
export async function requireAgreement(world: World, parts: QueryParts, look: Look): Promise<boolean> {
  const difference = await findDifference(world, parts, look)
  if (difference === 'refused') return false
  if (difference === undefined) return true
  const [simplest, reason] = await simplify(world, parts, look, difference)
  throw new Error(`${textOf(simplest)}\nlooked at as ${inspect(look, { depth: 3, breakLength: 200 })}: ${reason}`)
}

async function simplify(world: World, parts: QueryParts, look: Look, reason: string): Promise<[QueryParts, string]> {
  for (const one of simpler(parts)) {
    const difference = await findDifference(world, one, look)
    if (difference !== undefined && difference !== 'refused') return simplify(world, one, look, difference)
  }
  return [parts, reason]
}

/** What differs, in words. */
async function findDifference(world: World, parts: QueryParts, look: Look): Promise<string | undefined> {
  const query = understand(world, textOf(parts))
  if (query === undefined) return 'refused'
  const readable = world.candidates.filter((candidate) => isReadable(world, candidate, look))
  const candidates = look.readable === undefined ? readable : readable.map((one) => placedAmong(readable, one))
  for (const engine of world.engines) {
    try {
      if (query.selection.kind === 'documents' || isOfIds(query)) await requireSameDocuments(query, engine, candidates, look)
      else await requireSameRows(query, engine, candidates, look)
      if (look.summary !== undefined) await requireSameSummary(query, engine, candidates, look, look.summary)
    } catch (error) {
      return `${engine.store.engine}: ${error instanceof Error ? error.message : error}`
    }
  }
  return undefined
}

function understand({ model }: World, text: string): Query | undefined {
  try {
    return compileQuery(model, text)
  } catch (error) {
    if (failedQuery.is(error)) return undefined
    throw error
  }
}

function isReadable({ engines }: World, { document }: Candidate, { readable }: Look): boolean {
  const [{ acpIds }] = engines as [EngineWorld]
  return readable === undefined || readable.some((list) => acpIds[list] === document.acpId)
}

/** Whoever may not read all is told of a place among what they may read. */
function placedAmong(readable: readonly Candidate[], candidate: Candidate): Candidate {
  const { parentId, position } = candidate.document
  if (position === null) return candidate
  const isBefore = ({ document }: Candidate) =>
    document.parentId === parentId && document.position !== null && document.position < position
  const rank = parentId === null ? 0 : readable.filter(isBefore).length
  return { ...candidate, document: { ...candidate.document, position: rank } }
}

function isOfIds({ selection }: Query): boolean {
  return selection.kind === 'columns' && selection.columns.length === 1 && selection.columns[0]?.key === 'ecm:uuid'
}

async function requireSameDocuments(
  query: Query,
  engine: EngineWorld,
  candidates: readonly Candidate[],
  look: Look,
): Promise<void> {
  const { search } = engine.store.reader
  const expected = expectedIds(query, candidates)
  const scope = scopeOf(engine, look)
  assert.equal(await search.count(query, scope, 'documents', undefined), expected.length, 'the count')
  const limit = 1 + Math.floor(expected.length / 2)
  assert.equal(await search.count(query, scope, 'documents', limit), Math.min(limit, expected.length), 'the count up to a limit')
  if (hasScore(query)) {
    if (query.limit !== undefined || query.offset > 0) return
    assert.deepEqual([...(await search.listIds(query, scope, { offset: 0 }))].sort(), [...expected].sort())
    return
  }
  const window = windowOf(look)
  const shown = expected.slice(look.offset, look.limit === undefined ? undefined : look.offset + look.limit)
  assert.deepEqual(await search.listIds(query, scope, window), shown)
  for (const countsAll of [false, true]) {
    const { documents, total = expected.length } = await search.listDocuments(query, scope, { ...window, countsAll })
    assert.deepEqual(
      documents.map(({ id }) => id),
      shown,
    )
    assert.equal(total, expected.length, 'the total of a page')
  }
}

async function requireSameRows(query: Query, engine: EngineWorld, candidates: readonly Candidate[], look: Look): Promise<void> {
  const { search } = engine.store.reader
  const expected = expectedRows(query, candidates)
  const scope = scopeOf(engine, look)
  const rows = await search.listRows(query, scope, { offset: 0 })
  assert.deepEqual(sorted(query, rows), sorted(query, expected))
  assert.ok(isInOrder(query, rows), 'the rows are in order')
  assert.equal(await search.count(query, scope, 'rows', undefined), expected.length, 'the count of rows')
}

async function requireSameSummary(
  query: Query,
  engine: EngineWorld,
  candidates: readonly Candidate[],
  look: Look,
  summary: Summary,
): Promise<void> {
  // Its own limit caps the documents of a page, not those that are summarised.
  const { limit: _, ...whole } = { ...query, offset: 0 }
  const found = new Set(expectedIds(whole, candidates))
  const expected = expectedSummary(
    summary,
    candidates.filter(({ document }) => found.has(document.id)),
  )
  const result = await engine.store.reader.search.summarise(whole, scopeOf(engine, look), summary)
  assert.equal(summaryText(result), summaryText(expected), 'the summary')
}

function sorted(query: Query, rows: readonly (readonly SearchValue[])[]): readonly string[] {
  const types = typesOf(query)
  return rows.map((row) => row.map((value, index) => canonical(value, types[index])).join(' | ')).sort()
}

function scopeOf({ acpIds }: EngineWorld, { readable }: Look) {
  return { now, ...(readable !== undefined && { readableAcps: readable.flatMap((list) => acpIds[list] ?? []) }) }
}

function windowOf({ offset, limit }: Look) {
  return { offset, ...(limit !== undefined && { limit }) }
}
