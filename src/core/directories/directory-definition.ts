import type { DataFile } from './data-file.ts'

/** What a start does with the data file of a directory that an earlier start created. A new directory is always filled. */
export type LoadingPolicy = 'neverLoad' | 'skipDuplicate' | 'updateDuplicate' | 'errorOnDuplicate'

/** Where a search term must stand in a value for the entry to match. */
export type SubstringMatch = 'initial' | 'any' | 'final'

/** An entry cannot be deleted while an entry of `directory` names it in `field`. */
export interface DeleteConstraint {
  readonly directory: string
  readonly field: string
}

/** Users and groups who may. Write implies Read, and administrators always may. */
export interface DirectoryPermissions {
  readonly read: readonly string[]
  readonly write: readonly string[]
}

/**
 * A list field that is not stored in the entry: it shows the ids that the entry refers to (`targets`), or those that refer
 * to it (`sources`), through a named reference. Members of a group and groups of a user are the two ends of one reference.
 */
export interface DirectoryReference {
  readonly field: string
  readonly reference: string
  readonly end: 'targets' | 'sources'
  /** Whose ids the field holds. */
  readonly directory: string
}

/** The texts of label keys by language: `{ en: { 'label.fruit.apple': 'Apple' }, fr: { 'label.fruit.apple': 'Pomme' } }`. */
export interface VocabularyLabels {
  readonly [language: string]: { readonly [key: string]: string }
}

export interface DirectoryDefinition {
  readonly name: string
  readonly schema: string
  readonly idField: string
  /** Answers show it empty, and the store holds its digest. */
  readonly passwordField?: string
  /** Ids are whole numbers that the store counts up; an id that a client sends is ignored. */
  readonly autoincrementId: boolean
  /** The directory, perhaps this very one, in which the values of the field `parent` are ids. */
  readonly parentDirectory?: string
  /** A directory of type `system` is left out of lists but can be addressed by its name. */
  readonly types: readonly string[]
  readonly readOnly: boolean
  /** Most entries that one query may find; 0 is no limit. */
  readonly querySizeLimit: number
  readonly substringMatch: SubstringMatch
  /** Text fields that a search term is looked for in; none means those for labels. */
  readonly searchFields: readonly string[]
  /** Text fields by whose values entries are looked up, such as the token of a request or the parent of an entry. */
  readonly indexedFields: readonly string[]
  /** Text fields, looked up by, of which no two entries have the same value; any number may have none. */
  readonly uniqueFields: readonly string[]
  readonly dataFile?: DataFile
  /** What the keys in its labels stand for: a JSON file, or a function that makes them. Read when a client first asks for a text. */
  readonly labels?: URL | (() => Promise<VocabularyLabels>)
  readonly loading: LoadingPolicy
  readonly deleteConstraints: readonly DeleteConstraint[]
  /** None declared: everyone reads, administrators and power users write. */
  readonly permissions?: DirectoryPermissions
  readonly references: readonly DirectoryReference[]
}

export type DirectoryOptions = Partial<Omit<DirectoryDefinition, 'name' | 'schema'>> & Pick<DirectoryDefinition, 'schema'>

/**
 * A list of entries that documents refer to and administrators edit: a vocabulary, the users, the tokens.
 * @example
 * const costCentre = defineDirectory('costCentre', {
 *   schema: 'xvocabulary', parentDirectory: 'department', dataFile: new URL('./cost-centres.csv', import.meta.url),
 * })
 */
export function defineDirectory(name: string, options: DirectoryOptions): DirectoryDefinition {
  return {
    idField: 'id',
    autoincrementId: false,
    types: [],
    readOnly: false,
    querySizeLimit: 0,
    substringMatch: 'initial',
    searchFields: [],
    indexedFields: [],
    uniqueFields: [],
    loading: 'neverLoad',
    deleteConstraints: [],
    references: [],
    ...options,
    name,
  }
}

/** A directory of secrets. A reader of it could act as any user, so only administrators may. */
export function defineSecretDirectory(name: string, options: DirectoryOptions): DirectoryDefinition {
  return defineDirectory(name, { types: ['system'], permissions: { read: [], write: [] }, ...options })
}
