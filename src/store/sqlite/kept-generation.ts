import type { DirectoryReader } from '../directories.ts'
import type { OthersVersion } from './kept-documents.ts'

export interface KeptGeneration {
  readonly directories: DirectoryReader
  /** To be told when this process commits a change of directories, in the same breath. */
  forget(): void
}

/** Keeps the number that every request asks for to know whether users and groups are still what they were. */
export function keepGeneration(directories: DirectoryReader, othersVersion: OthersVersion): KeptGeneration {
  let kept: Promise<number> | undefined
  let keptVersion = -1
  return {
    directories: {
      ...directories,
      generation() {
        const version = othersVersion()
        if (version !== keptVersion) kept = undefined
        keptVersion = version
        kept ??= directories.generation()
        return kept
      },
    },
    forget() {
      kept = undefined
    },
  }
}
