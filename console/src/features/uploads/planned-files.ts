import type { DuplicateChoice } from './duplicates.ts'
import type { PlacedFile } from './uploads.ts'

/** A file in a folder, among all that were chosen together. Names are compared as the server keeps them. */
export function keyOf({ file, parentId }: Pick<PlacedFile, 'file' | 'parentId'>): string {
  return `${parentId}/${file.name.normalize('NFC')}`
}

/** What is sent, and how, once it is said what happens with those that are there already. */
export function planFiles(
  files: readonly PlacedFile[],
  existing: ReadonlySet<string>,
  choice: DuplicateChoice,
): readonly PlacedFile[] {
  if (choice === 'both') return files
  if (choice === 'skip') return files.filter((placed) => !existing.has(keyOf(placed)))
  return files.map((placed) => (existing.has(keyOf(placed)) ? { ...placed, replaces: true } : placed))
}
