import sql from 'sql-template-tag'
import { systemAccess } from '../../core/access.ts'
import type { Repository } from '../../core/session.ts'
import type { TableMigration, TableReader, TableRow, TableWriter } from '../../store/tables.ts'
import { moveReader, removeReader } from '../outbox/index.ts'

/** By which the outbox keeps what was not read. */
export const outboxReader = 'search-engine'

/** How it stands with the indexes of a repository, in its own database; one row, once anything was begun. */
export const searchEngineTables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ text, integer }) => [
      `CREATE TABLE search_engine_state (
         name ${text} PRIMARY KEY,
         serving ${text},
         serving_signature ${text},
         building ${text},
         building_signature ${text},
         walked ${integer} NOT NULL,
         wanted ${integer} NOT NULL,
         owner ${text},
         beat ${integer} NOT NULL)`,
    ],
  },
]

const rowName = 'default'

/** An index of the engine, and what of the model it was made for. */
export interface NamedIndex {
  readonly name: string
  readonly signature: string
}

export interface EngineState {
  /** It has all documents. */
  readonly serving: NamedIndex | undefined
  /** It is being filled. */
  readonly building: NamedIndex | undefined
  /** Up to which number, in the order of creation, documents were put into that. */
  readonly walked: number
  /** 1 where somebody wants all to be built anew. */
  readonly wanted: number
  /** Who feeds the engine, and a number that grows meanwhile. */
  readonly owner: string | null
  readonly beat: number
}

const columns = sql`serving, serving_signature, building, building_signature, walked, wanted, owner, beat`

/** Undefined where nothing was begun. */
export async function findState(tables: TableReader): Promise<EngineState | undefined> {
  const row = await tables.get(sql`SELECT ${columns} FROM search_engine_state WHERE name = ${rowName}`)
  return row && stateOf(row)
}

function stateOf([serving, servingSignature, building, buildingSignature, walked, wanted, owner, beat]: TableRow): EngineState {
  return {
    serving: namedIndex(serving, servingSignature),
    building: namedIndex(building, buildingSignature),
    walked: Number(walked),
    wanted: Number(wanted),
    owner: typeof owner === 'string' ? owner : null,
    beat: Number(beat),
  }
}

function namedIndex(name: TableRow[number] | undefined, signature: TableRow[number] | undefined): NamedIndex | undefined {
  return typeof name === 'string' ? { name, signature: String(signature) } : undefined
}

const write = <Result>(repository: Repository, body: (tables: TableWriter) => Promise<Result>): Promise<Result> =>
  systemAccess(repository).write(({ tx }) => body(tx.tables))

/** Makes the row where there is none. */
async function ensureRow(tables: TableWriter): Promise<void> {
  await tables.run(sql`
    INSERT INTO search_engine_state (name, walked, wanted, beat) VALUES (${rowName}, ${0}, ${0}, ${0})
    ON CONFLICT (name) DO NOTHING`)
}

/** Whether the engine is the owner's to feed from now on: not when another was quicker. */
export function takeLease(repository: Repository, seen: EngineState | undefined, owner: string): Promise<boolean> {
  return write(repository, async (tables) => {
    await ensureRow(tables)
    const isStill = seen?.owner === null || seen === undefined ? sql`owner IS NULL` : sql`owner = ${seen.owner}`
    const taken = await tables.run(sql`
      UPDATE search_engine_state SET owner = ${owner}, beat = beat + 1
       WHERE name = ${rowName} AND beat = ${seen?.beat ?? 0} AND ${isStill}`)
    return taken === 1
  })
}

/** False when another feeds it by now. */
export function renewLease(repository: Repository, owner: string): Promise<boolean> {
  return write(repository, async (tables) => {
    const renewed = await tables.run(sql`
      UPDATE search_engine_state SET beat = beat + 1 WHERE name = ${rowName} AND owner = ${owner}`)
    return renewed === 1
  })
}

export async function releaseLease(repository: Repository, owner: string): Promise<void> {
  await write(repository, (tables) =>
    tables.run(sql`UPDATE search_engine_state SET owner = NULL WHERE name = ${rowName} AND owner = ${owner}`),
  )
}

/** Has whoever feeds the engine build all anew. */
export async function wantRebuild(repository: Repository): Promise<void> {
  await write(repository, async (tables) => {
    await ensureRow(tables)
    await tables.run(sql`UPDATE search_engine_state SET wanted = ${1} WHERE name = ${rowName}`)
  })
}

/**
 * @param anew the position behind which all that is committed will be read, where the index that serves is of no use any more; otherwise it
 * goes on serving
 */
export async function beginBuilding(
  repository: Repository,
  owner: string,
  { name, signature }: NamedIndex,
  anew: number | undefined,
): Promise<void> {
  await write(repository, async (tables) => {
    const begun = await tables.run(sql`
      UPDATE search_engine_state SET building = ${name}, building_signature = ${signature}, walked = ${0}, wanted = ${0}
       WHERE name = ${rowName} AND owner = ${owner}`)
    if (begun !== 1 || anew === undefined) return
    await tables.run(sql`UPDATE search_engine_state SET serving = NULL, serving_signature = NULL WHERE name = ${rowName}`)
    await moveReader(tables, outboxReader, anew)
  })
}

export async function noteWalked(repository: Repository, owner: string, walked: number): Promise<void> {
  await write(repository, (tables) =>
    tables.run(sql`UPDATE search_engine_state SET walked = ${walked} WHERE name = ${rowName} AND owner = ${owner}`),
  )
}

/** What was built serves from now on. */
export async function serveBuilt(repository: Repository, owner: string): Promise<void> {
  await write(repository, (tables) =>
    tables.run(sql`
      UPDATE search_engine_state SET serving = building, serving_signature = building_signature, building = NULL, building_signature = NULL
       WHERE name = ${rowName} AND owner = ${owner} AND building IS NOT NULL`),
  )
}

/** False when another feeds the engine by now. */
export function movePosition(repository: Repository, owner: string, position: number): Promise<boolean> {
  return write(repository, async (tables) => {
    const row = await tables.get(sql`SELECT 1 FROM search_engine_state WHERE name = ${rowName} AND owner = ${owner}`)
    if (row !== undefined) await moveReader(tables, outboxReader, position)
    return row !== undefined
  })
}

/** For a server that has no engine any more: nothing waits for it, and one that it gets again begins anew. */
export async function forgetEngine(repository: Repository): Promise<void> {
  if ((await findState(repository.store.reader.tables)) === undefined) return
  await write(repository, async (tables) => {
    await tables.run(sql`DELETE FROM search_engine_state WHERE name = ${rowName}`)
    await removeReader(tables, outboxReader)
  })
}
