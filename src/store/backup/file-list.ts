import { join } from 'node:path'
import type { ListedBlob } from '../blobs/blob-store.ts'
import { createLineFile, type LineFile, type LinesFacts, readLineFile } from './line-file.ts'

/** The files of one backup, among those that all backups beside it have in common. */
export interface FileList extends Pick<LineFile, 'end' | 'drop'> {
  add(blob: Pick<ListedBlob, 'key' | 'length'>): Promise<void>
}

const pathIn = (backup: string) => join(backup, 'files.jsonl.gz')

export function createFileList(backup: string): FileList {
  const { add, end, drop } = createLineFile(pathIn(backup))
  return { add: ({ key, length }) => add(JSON.stringify([key, length])), end, drop }
}

/** All of them, or those whose keys begin so. @throws backupDamaged */
export async function* readFileList(
  backup: string,
  facts: LinesFacts,
  firstDigits = '',
): AsyncGenerator<Pick<ListedBlob, 'key' | 'length'>> {
  for await (const lines of readLineFile(pathIn(backup), facts)) {
    for (const line of lines) {
      const [key, length]: [string, number] = JSON.parse(line)
      if (key.startsWith(firstDigits)) yield { key, length }
    }
  }
}
