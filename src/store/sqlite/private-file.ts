import { chmod, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Log } from '../../base/log.ts'
import { databaseFull, databaseUnusable } from '../problems.ts'

const ownerAlone = 0o600
const everybodyElse = 0o077

/** Makes the file if need be, and keeps it and the log beside it, which gets its mode from it, for this user alone. */
export async function keepToOwner(file: string, log: Log): Promise<void> {
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
