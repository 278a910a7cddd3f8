import type { PropertyValue } from '../model/property.ts'

/** One entry of a directory: users, groups, vocabularies, tokens all are. */
export interface DirectoryEntry {
  readonly id: string
  readonly values: { readonly [field: string]: PropertyValue }
}

export interface DirectoryReader {
  find(directory: string, id: string): Promise<DirectoryEntry | undefined>
  list(directory: string): Promise<readonly DirectoryEntry[]>
  hasEntries(directory: string): Promise<boolean>
  /** The ids this entry refers to through a named reference (`members`, `subGroups`), in order. */
  listTargets(reference: string, sourceId: string): Promise<readonly string[]>
  /** The ids that refer to this entry through a named reference. */
  listSources(reference: string, targetId: string): Promise<readonly string[]>
  /** Grows with every committed change of any directory, so that what was derived from entries can be checked for age. */
  generation(): Promise<number>
}

export interface DirectoryWriter extends DirectoryReader {
  /** False when the id is taken. */
  insert(directory: string, entry: DirectoryEntry): Promise<boolean>
  update(directory: string, entry: DirectoryEntry): Promise<boolean>
  remove(directory: string, id: string): Promise<boolean>
  /** Ids that do not exist are left out. */
  removeAll(directory: string, ids: readonly string[]): Promise<void>
  replaceTargets(reference: string, sourceId: string, targetIds: readonly string[]): Promise<void>
}
