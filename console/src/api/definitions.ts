import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import type { components } from './entities.ts'

type Schema = components['schemas']['Schema']
type DirectoryEntryPage = components['schemas']['DirectoryEntryPage']

/** Definitions change with the server's configuration, so that they are asked for once a visit. */
const onceAVisit = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

export function schemaQuery(name: string) {
  return queryOptions({
    queryKey: ['schemas', name] as const,
    queryFn: ({ signal }) =>
      call<Schema>(`config/schemas/${encodeURIComponent(name)}`, { signal, query: { 'fetch.schema': 'fields' } }),
    ...onceAVisit,
  })
}

interface Definitions {
  readonly doctypes: { readonly [type: string]: { readonly facets?: readonly string[] } }
  readonly schemas: { readonly [schema: string]: { readonly [field: string]: unknown } }
}

/** What queries may name: types, properties with their types, facets. */
export const vocabularyQuery = queryOptions({
  queryKey: ['schemas', 'vocabulary'] as const,
  queryFn: async ({ signal }) => {
    const { doctypes, schemas } = await call<Definitions>('config/types', { signal })
    const fields = Object.entries(schemas).flatMap(([schema, definition]) => {
      const { '@prefix': prefix = schema, ...types } = definition
      return Object.entries(types).map(([name, type]) => ({
        name: `${prefix || schema}:${name}`,
        type: typeof type === 'string' ? type : String((type as { readonly type?: unknown }).type),
      }))
    })
    const facets = new Set(Object.values(doctypes).flatMap((type) => type.facets ?? []))
    return { types: Object.keys(doctypes).sort(), fields: fields.sort(byName), facets: [...facets].sort() }
  },
  ...onceAVisit,
})

/** Those that all documents have first. */
function byName({ name: one }: { readonly name: string }, { name: other }: { readonly name: string }): number {
  const place = (name: string) => (name.startsWith('dc:') ? 0 : 1)
  return place(one) - place(other) || one.localeCompare(other)
}

/** An entry of a vocabulary, with what people call it. */
export interface Entry {
  /** As documents have it: with those above it, where the vocabulary is a tree. */
  readonly value: string
  readonly label: string
}

const entriesAtOnce = 500

export function entriesQuery(
  directory: string,
  { separator, language }: { readonly separator?: string; readonly language: string },
) {
  return queryOptions({
    queryKey: ['directories', directory, language] as const,
    queryFn: async ({ signal }): Promise<readonly Entry[]> => {
      const query = { pageSize: entriesAtOnce, 'fetch.directoryEntry': 'parent', 'translate.directoryEntry': 'label' }
      const headers = { 'Accept-Language': language }
      const { entries } = await call<DirectoryEntryPage>(`directory/${encodeURIComponent(directory)}`, { signal, query, headers })
      return entries
        .map((entry) => entryOf(entry, separator, language))
        .sort((one, other) => one.label.localeCompare(other.label, language))
    },
    staleTime: 60_000,
  })
}

type SentEntry = { readonly id?: string; readonly properties?: { readonly [name: string]: unknown } }

/** Follows those above, which are sent along with it. */
function entryOf({ id = '', properties = {} }: SentEntry, separator: string | undefined, language: string): Entry {
  const label = String(properties[`label_${language}`] ?? properties['label'] ?? id)
  const above = properties['parent']
  if (separator === undefined || above === null || above === undefined || above === '') return { value: id, label }
  if (typeof above === 'string') return { value: `${above}${separator}${id}`, label: `${above} ${separator} ${label}` }
  const parent = entryOf(above as SentEntry, separator, language)
  return { value: `${parent.value}${separator}${id}`, label: `${parent.label} › ${label}` }
}
