import type { DirectoryReader } from '../directories.ts'
import type { DataVersion } from './document-cache.ts'

export interface GenerationCache {
  readonly directories: DirectoryReader
  /** Called synchronously when this process commits a change of directories. */
  invalidate(): void
}

/**
 * Caches the number that every request asks for to know whether users and groups are still what they were. Invalidated by a commit
 * of this process that changes directories, and by any commit of another (the data version).
 */
export function createGenerationCache(directories: DirectoryReader, dataVersion: DataVersion): GenerationCache {
  let cached: number | undefined
  let cachedVersion = -1
  let changes = 0

  function findGeneration(): number | undefined {
    const version = dataVersion()
    if (version !== cachedVersion) invalidate()
    cachedVersion = version
    return cached
  }

  /** Unless something was committed while the number was on its way. */
  async function generation(): Promise<number> {
    const known = findGeneration()
    if (known !== undefined) return known
    const changesBefore = changes
    const read = await directories.generation()
    if (changes === changesBefore) cached = read
    return read
  }

  function invalidate(): void {
    cached = undefined
    changes += 1
  }

  return { directories: { ...directories, generation, findGeneration }, invalidate }
}
