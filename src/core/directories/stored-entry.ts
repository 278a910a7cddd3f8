import type { DirectoryEntry, StoredEntry, Terms } from '../../store/directories.ts'
import { foldTerm } from '../../store/directory-terms.ts'
import type { DirectoryDefinition } from './directory-definition.ts'

/** The entry with the terms by which a search finds it. Every entry is stored like this. */
export function storedEntry(definition: DirectoryDefinition, entry: DirectoryEntry): StoredEntry {
  return termFields(definition).length === 0 ? entry : { ...entry, terms: termsOf(definition, entry) }
}

/** An entry as it is told: the hash of a password is for those who check one, and they read what is stored. */
export function withoutPassword({ passwordField }: DirectoryDefinition, entry: DirectoryEntry): DirectoryEntry {
  if (passwordField === undefined || !Object.hasOwn(entry.values, passwordField)) return entry
  const { [passwordField]: _, ...values } = entry.values
  return { ...entry, values }
}

/** The fields of which every entry has a term. */
export function termFields({ searchFields, indexedFields }: DirectoryDefinition): readonly string[] {
  return [...new Set([...searchFields, ...indexedFields])]
}

/** Each has one, so that entries can be ordered by it; what is not there is empty. */
export function termsOf(definition: DirectoryDefinition, { id, values }: DirectoryEntry): Terms {
  const terms: { [field: string]: string } = {}
  for (const field of termFields(definition)) {
    const value = field === definition.idField ? id : values[field]
    terms[field] = typeof value === 'string' ? foldTerm(value) : ''
  }
  return terms
}
