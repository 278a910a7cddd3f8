import { lastMoment } from '../../base/iso-date.ts'
import { homeOf } from '../blob-gc/known-repositories.ts'
import type { Repository } from '../session.ts'

// The first of them is enough to be told of.
const flawsLookedAt = 200

/** Files that were found missing or damaged and that a document has; notes of others are forgotten, as their files will be. */
export async function listNeededFlaws(repositories: ReadonlyMap<string, Repository>): Promise<readonly string[]> {
  const { flaws } = homeOf(repositories).blobs
  const keys: string[] = []
  for await (const key of flaws.list()) {
    keys.push(key)
    if (keys.length === flawsLookedAt) break
  }
  if (keys.length === 0) return []
  const sets = await Promise.all(
    [...repositories.values()].map(({ store }) => store.reader.blobKeys.listNeeded(keys, lastMoment)),
  )
  const needed = sets.reduce((all, some) => all.union(some))
  for (const key of keys) if (!needed.has(key)) await flaws.clear(key).catch(() => {})
  return keys.filter((key) => needed.has(key))
}
