import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { databaseReplaced } from '../problems.ts'

/**
 * Remembers which files a database is in. What is written to a file that was removed or replaced is lost when it is closed, and the
 * system says nothing. Looking costs 5 µs, where a commit waits for the disk. @throws databaseReplaced
 */
export function rememberFiles(file: string): () => void {
  const known = new Map<string, string>()
  return () => {
    for (const path of [file, `${file}-wal`]) {
      const found = identityOf(path)
      const before = known.get(path)
      if (before === undefined && found !== undefined) known.set(path, found)
      if (before !== undefined && found !== before) throw databaseReplaced({ place: basename(path) })
    }
  }
}

/** Undefined when there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}
