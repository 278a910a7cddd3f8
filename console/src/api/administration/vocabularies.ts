import { queryOptions } from '@tanstack/react-query'
import { addressOf, call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys } from './entity-pages.ts'

type Schemas = components['schemas']
export type Vocabulary = Schemas['Vocabulary']
export type VocabularyEntry = Schemas['DirectoryEntry']
type EntryPage = Schemas['DirectoryEntryPage']

const encoded = encodeURIComponent

export async function listVocabularies(signal: AbortSignal): Promise<readonly Vocabulary[]> {
  return (await call<Schemas['Vocabularies']>('management/directories', { signal })).entries
}

export const vocabulariesQuery = queryOptions({
  queryKey: [...administrationKeys.all, 'vocabularies'] as const,
  queryFn: ({ signal }) => listVocabularies(signal),
})

/** More than anybody looks through; a longer one is looked at in a spreadsheet. */
export const mostEntries = 10_000
const entriesAtOnce = 1_000

/** The entries of a vocabulary in their order, with labels in a language. */
export function vocabularyEntriesQuery(directory: string, language: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'vocabulary', directory, language] as const,
    queryFn: async ({ signal }): Promise<readonly VocabularyEntry[]> => {
      const entries: VocabularyEntry[] = []
      for (let page = 0; entries.length < mostEntries; page += 1) {
        const found = await call<EntryPage>(`directory/${encoded(directory)}`, {
          signal,
          query: { pageSize: entriesAtOnce, currentPageIndex: page, 'translate.directoryEntry': 'label' },
          headers: { 'Accept-Language': language },
        })
        entries.push(...found.entries)
        if (found.entries.length < entriesAtOnce) break
      }
      return entries
    },
  })
}

/** As it is stored, so that it can be changed. */
export function vocabularyEntryQuery(directory: string, id: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'vocabulary-entry', directory, id] as const,
    queryFn: ({ signal }) => call<VocabularyEntry>(addressIn(directory, id), { signal }),
  })
}

const addressIn = (directory: string, id: string) => `directory/${encoded(directory)}/${encoded(id)}`

export interface EntryChange {
  readonly directory: string
  readonly id: string
  readonly properties: { readonly [field: string]: unknown }
}

const entityOf = ({ directory, id, properties }: EntryChange) => ({
  'entity-type': 'directoryEntry',
  directoryName: directory,
  id,
  properties,
})

/** @throws Problem */
export function createEntry(change: EntryChange): Promise<VocabularyEntry> {
  return call<VocabularyEntry>(`directory/${encoded(change.directory)}`, { method: 'POST', json: entityOf(change) })
}

/** @throws Problem */
export function changeEntry(change: EntryChange): Promise<VocabularyEntry> {
  return call<VocabularyEntry>(addressIn(change.directory, change.id), { method: 'PUT', json: entityOf(change) })
}

/** @throws Problem */
export function deleteEntry(directory: string, id: string): Promise<void> {
  return call<void>(addressIn(directory, id), { method: 'DELETE' })
}

/** @throws Problem */
export function orderEntries({ directory, ids }: { readonly directory: string; readonly ids: readonly string[] }): Promise<void> {
  return call<void>(`management/directories/${encoded(directory)}/order`, { method: 'PUT', json: { ids } })
}

/** Where the entries are as CSV. */
export function entriesCsvAddress(directory: string): string {
  return addressOf(`api/v1/management/directories/${encoded(directory)}/csv`)
}

export interface CsvImport {
  readonly directory: string
  readonly file: Blob
  readonly taken: 'update' | 'skip'
}

/** @throws Problem */
export function importEntries({ directory, file, taken }: CsvImport): Promise<Schemas['ImportedEntries']> {
  return call(`management/directories/${encoded(directory)}/csv`, {
    method: 'POST',
    query: { taken },
    bytes: file,
    headers: { 'Content-Type': 'text/csv' },
  })
}
