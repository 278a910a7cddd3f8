import type { Ace } from '../../../model/rights/acl.ts'
import type { SqlConnection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { hashOfAces, textOfAces } from './aces-text.ts'
import { acpIdsByHash, insertAcps } from './acp-statements.ts'

// One statement's worth: a list of entries may be long.
const listsInOneStatement = 1_000

/** Gives each list its id, storing those that are new. */
export async function internLists(
  connection: SqlConnection,
  dialect: Dialect,
  lists: readonly (readonly Ace[])[],
): Promise<ReadonlyMap<readonly Ace[], number>> {
  const texts = new Map([...new Set(lists)].map((list) => [list, textOfAces(list)]))
  const textByHash = new Map([...texts.values()].map((text) => [hashOfAces(text), text]))
  const idByHash = new Map<string, number>()
  for (const batch of batches([...textByHash], listsInOneStatement)) {
    await internBatch(connection, dialect, batch, idByHash)
  }
  return new Map([...texts].map(([list, text]) => [list, idByHash.get(hashOfAces(text)) as number]))
}

async function internBatch(
  connection: SqlConnection,
  dialect: Dialect,
  lists: readonly (readonly [hash: string, text: string])[],
  idByHash: Map<string, number>,
): Promise<void> {
  const look = async (hashes: readonly string[]) => {
    for (const [hash, id] of await connection.all(acpIdsByHash(dialect, hashes))) idByHash.set(hash as string, id as number)
  }
  await look(lists.map(([hash]) => hash))
  const missing = lists.filter(([hash]) => !idByHash.has(hash))
  if (missing.length === 0) return
  if (dialect.awaitOtherInterning !== undefined) await connection.get(dialect.awaitOtherInterning)
  await connection.run(insertAcps(dialect, missing))
  await look(missing.map(([hash]) => hash))
}

function* batches<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
