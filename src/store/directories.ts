import type { PropertyValue } from '../model/properties/property.ts'

/** Whose entries are accounts: a new one is in groups from its beginning, without being listed in any. */
export const userDirectory = 'userDirectory'

/** One entry of a directory: users, groups, vocabularies, tokens all are. */
export interface DirectoryEntry {
  readonly id: string
  readonly values: { readonly [field: string]: PropertyValue }
}

/** An entry to be stored, with the words by which a search finds it. */
export interface StoredEntry extends DirectoryEntry {
  /** Field by field, folded to one case; a field that is not here cannot be searched. A long one is known by its beginning. */
  readonly terms?: Terms
}

export interface Terms {
  readonly [field: string]: string
}

/** A text to be found in terms, folded as they are. */
export interface TermPattern {
  readonly text: string
  /** Where the text must stand in a term. */
  readonly place: 'initial' | 'any' | 'final'
  /** `%` and `_` in the text stand for other characters. */
  readonly hasWildcards: boolean
}

export interface EntryOrder {
  readonly field: string
  readonly isAscending: boolean
}

/** A text that is looked for in fields. */
export interface Matching {
  readonly fields: readonly string[]
  readonly pattern: TermPattern
}

/** Which entries of a directory, in which order, and how many of them. */
export interface EntrySearch {
  readonly directory: string
  /** Entries with the pattern in the term of at least one of the fields. */
  readonly matching?: Matching
  /** Entries that match each of these, too. */
  readonly alsoMatching?: readonly Matching[]
  /** Entries that one of these refers to through a reference: members of groups. */
  readonly referredTo?: { readonly reference: string; readonly by: readonly string[] }
  /** Entries whose fields have just these values; a null is also what is not there. */
  readonly equal?: { readonly [field: string]: PropertyValue }
  /** Entries with just these terms: with `equal` for the same fields it reads those entries alone. */
  readonly terms?: Terms
  /** Fields with a term are ordered by it, others by their value, numbers as numbers; the id decides at last. */
  readonly order: readonly EntryOrder[]
  readonly offset: number
  readonly limit: number
  /** More than this is too many: counting stops one beyond, and no entries are given. Absent: there may be any number. */
  readonly countLimit?: number
}

export interface FoundEntries {
  readonly entries: readonly DirectoryEntry[]
  /** Of all pages; one more than the limit of counting when there were too many. */
  readonly total: number
}

/** A part of the ids that an entry refers to. */
export interface TargetPage {
  readonly ids: readonly string[]
  /** Of all that match. */
  readonly total: number
}

/** Ids that refer to an entry, in their order, by its id. An entry that none refers to is left out. */
export type SourcesByTarget = ReadonlyMap<string, readonly string[]>

export interface SourceMap {
  /** Of the targets themselves. */
  readonly direct: SourcesByTarget
  /** Of all that refers to them, on the way up. */
  readonly above: SourcesByTarget
}

export interface DirectoryReader {
  find(directory: string, id: string): Promise<DirectoryEntry | undefined>
  /** Those that exist, in the order of the ids. */
  findAll(directory: string, ids: readonly string[]): Promise<readonly DirectoryEntry[]>
  list(directory: string): Promise<readonly DirectoryEntry[]>
  search(search: EntrySearch): Promise<FoundEntries>
  /** By directory the fields of which every entry of it has a term; of directories of which that was recorded. */
  listIndexedFields(): Promise<ReadonlyMap<string, readonly string[]>>
  hasEntries(directory: string): Promise<boolean>
  /** The ids this entry refers to through a named reference (`members`, `subGroups`), in order. */
  listTargets(reference: string, sourceId: string): Promise<readonly string[]>
  /** The same by pages, with ids that begin with a prefix in any case; an empty prefix is all. */
  listTargetPage(
    reference: string,
    sourceId: string,
    page: { readonly prefix: string; readonly offset: number; readonly limit: number },
  ): Promise<TargetPage>
  /** The ids that refer to this entry through a named reference. */
  listSources(reference: string, targetId: string): Promise<readonly string[]>
  /**
   * The ids that refer to this entry through `reference`, those that refer to these through `above`, and so on up: the direct
   * ones first. A circle ends where it began.
   */
  listAllSources(reference: string, above: string, targetIds: readonly string[]): Promise<readonly string[]>
  /** The references that `listAllSources` follows, for many targets at once. */
  mapSources(reference: string, above: string, targetIds: readonly string[]): Promise<SourceMap>
  /** Grows with every committed change of any directory, so that what was derived from entries can be checked for age. */
  generation(): Promise<number>
  /** The same at once, where the engine knows it without asking the database. */
  findGeneration(): number | undefined
  /**
   * Grows only with committed changes by which somebody may be in other groups: those of references, and new accounts. Two looks that give
   * the same number have seen the same groups, and those between them.
   */
  membershipGeneration(): Promise<number>
}

export interface DirectoryWriter extends DirectoryReader {
  /** Locks all directories until the transaction ends: what is read from now on stays true until then. */
  lock(): Promise<void>
  /** False when the id is taken. */
  insert(directory: string, entry: StoredEntry): Promise<boolean>
  /** The same for many at once. Gives the ids of those that were added; of two with the same id that is the first. */
  insertAll(directory: string, entries: readonly StoredEntry[]): Promise<ReadonlySet<string>>
  update(directory: string, entry: StoredEntry): Promise<boolean>
  remove(directory: string, id: string): Promise<boolean>
  /** Ids that do not exist are left out. */
  removeAll(directory: string, ids: readonly string[]): Promise<void>
  /** Of new directories, which have no entries yet: each that is stored from then on must have terms of these fields. */
  noteIndexedFields(fields: ReadonlyMap<string, readonly string[]>): Promise<void>
  /** Gives every entry its terms anew; from then on each that is stored must have these. Gives how many entries there are. */
  indexTerms(directory: string, fields: readonly string[], termsOf: (entry: DirectoryEntry) => Terms): Promise<number>
  /** The next number of a directory that counts its entries, never given twice. */
  nextId(directory: string): Promise<number>
  /** Has the next number be larger than this one, which an entry from elsewhere has. */
  countFrom(directory: string, last: number): Promise<void>
  replaceTargets(reference: string, sourceId: string, targetIds: readonly string[]): Promise<void>
  /** Puts the target behind the others; nothing happens when it is there. Costs the same however many there are. */
  addTarget(reference: string, sourceId: string, targetId: string): Promise<void>
  removeTarget(reference: string, sourceId: string, targetId: string): Promise<void>
  /** Takes the entry out of every reference of this name that leads to it. */
  removeSources(reference: string, targetId: string): Promise<void>
}
