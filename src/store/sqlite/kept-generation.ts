import type { DirectoryReader } from '../directories.ts'
import type { OthersVersion } from './kept-documents.ts'

export interface KeptGeneration {
  readonly directories: DirectoryReader
  /** To be told when this process commits a change of directories, in the same breath. */
  forget(): void
}

/** Keeps the number that every request asks for to know whether users and groups are still what they were. */
export function keepGeneration(directories: DirectoryReader, othersVersion: OthersVersion): KeptGeneration {
  let kept: number | undefined
  let keptVersion = -1
  let changes = 0

  function findGeneration(): number | undefined {
    const version = othersVersion()
    if (version !== keptVersion) forget()
    keptVersion = version
    return kept
  }

  /** Unless something was committed while the number was on its way. */
  async function generation(): Promise<number> {
    const known = findGeneration()
    if (known !== undefined) return known
    const changesBefore = changes
    const read = await directories.generation()
    if (changes === changesBefore) kept = read
    return read
  }

  function forget(): void {
    kept = undefined
    changes += 1
  }

  return { directories: { ...directories, generation, findGeneration }, forget }
}
