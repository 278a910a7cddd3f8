import { statSync } from 'node:fs'
import { chmod, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Log } from '../../base/log.ts'
import { databaseFull, databaseReplaced, databaseUnusable } from '../problems.ts'

const ownerAlone = 0o600
const everybodyElse = 0o077

/** Makes the file if need be, and keeps it and the log beside it, which gets its mode from it, for this user alone. */
export async function restrictToOwner(file: string, log: Log): Promise<void> {
  await makeFile(file)
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = (await stat(path).catch(() => undefined))?.mode ?? 0
    if ((mode & everybodyElse) === 0 || process.platform === 'win32') continue
    await chmod(path, ownerAlone).catch((err: unknown) =>
      log.warn({ event: 'store.fileOpenToOthers', file: path, err }, 'others than the owner may read the database file'),
    )
  }
}

async function makeFile(file: string): Promise<void> {
  try {
    await (await open(file, 'a', ownerAlone)).close()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    const place = basename(file)
    if (code === 'ENOSPC' || code === 'EDQUOT') throw databaseFull({ place }, { cause })
    throw databaseUnusable(
      { place, reason: `its file cannot be opened (${code}). See that the server may write to it` },
      { cause },
    )
  }
}

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
