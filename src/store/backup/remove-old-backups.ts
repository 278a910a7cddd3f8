import type { BlobStore } from '../blobs/blob-store.ts'
import { dropBackup, type FoundBackup, listBackups, readBackup } from './backup-folder.ts'
import { readFileList } from './file-list.ts'

export interface RemovedBackups {
  readonly backups: number
  readonly files: number
  readonly bytes: number
}

// What all backups have of a share is in memory at once.
const shares = [...'0123456789abcdef']

/**
 * Leaves the newest ones, and of the files those that one of them has. Where one of them cannot be read no file is removed, as it may need
 * any. Nobody else may be making a backup there.
 * @throws backupDamaged, backupTooNew
 */
export async function removeOldBackups(folder: string, keep: number, files: BlobStore): Promise<RemovedBackups> {
  const all = await listBackups(folder)
  const old = all.slice(0, -keep)
  for (const backup of old) await dropBackup(backup)
  const left: FoundBackup[] = []
  for (const backup of all.slice(-keep)) left.push(await readBackup(backup))
  let [count, bytes] = [0, 0]
  for (const share of shares) {
    const needed = new Set<string>()
    for (const backup of left)
      for await (const { key } of readFileList(backup.folder, backup.manifest.files, share)) needed.add(key)
    for await (const blob of files.list(share)) {
      if (needed.has(blob.key) || !(await files.remove(blob))) continue
      count += 1
      bytes += blob.length
    }
  }
  return { backups: old.length, files: count, bytes }
}
