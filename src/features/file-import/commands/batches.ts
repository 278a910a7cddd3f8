import type { SourceEntry } from './source-tree.ts'

export type Batched = Extract<SourceEntry, { kind: 'folder' | 'file' }>

// Few enough that the writer of SQLite is soon free for the server beside it.
const maxInBatch = 50
// Texts stay in memory from reading to writing; other files are not.
const maxBytesInBatch = 16 * 1024 ** 2
const maxBytesOfText = 1024 ** 2

/** What is written in one transaction. What cannot be imported anyway is handed aside at once. */
export async function* batchesOf(
  entries: AsyncIterable<SourceEntry>,
  aside: (entry: Exclude<SourceEntry, Batched>) => void,
): AsyncGenerator<readonly Batched[]> {
  let batch: Batched[] = []
  let bytes = 0
  for await (const entry of entries) {
    if (entry.kind === 'leftOut' || entry.kind === 'unreadable') {
      aside(entry)
      continue
    }
    batch.push(entry)
    bytes += entry.kind === 'file' ? Math.min(entry.file.length, maxBytesOfText) : 0
    if (batch.length < maxInBatch && bytes < maxBytesInBatch) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Does the same to all, only so many at a time, and gives the results in the order of what they are of. */
export async function mapSome<One, Result>(
  all: readonly One[],
  atOnce: number,
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(all.length)
  const queue = all.entries()
  const takeTurns = async () => {
    for (const [index, one] of queue) results[index] = await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, takeTurns))
  return results
}
