import { type Json, stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { isComplexValue, type Properties, type PropertyValue } from '../../model/properties/property.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityBody } from '../../rest/payload/entity-payload.ts'
import { parseWholeNumber } from '../../rest/request/paging.ts'

/** A search that a user saved: a query, or a page provider with what was filled in. */
export interface SavedSearch {
  readonly title: string
  readonly fields: SavedFields
  /** Undefined where nothing is said of them. */
  readonly params: JsonObject | undefined
}

/** The keys under which clients know the fields, in the order in which they are shown, and where each is stored. */
const textFields = {
  queryParams: 'saved:queryParams',
  query: 'saved:query',
  queryLanguage: 'saved:queryLanguage',
  pageProviderName: 'saved:providerName',
} as const
const numberFields = {
  pageSize: 'saved:pageSize',
  currentPageIndex: 'saved:currentPageIndex',
  maxResults: 'saved:maxResults',
} as const
const furtherTextFields = {
  sortBy: 'saved:sortBy',
  sortOrder: 'saved:sortOrder',
  contentViewData: 'saved:contentViewData',
} as const
export const namedParams = 'saved:namedParams'

type TextField = keyof typeof textFields | keyof typeof furtherTextFields
type NumberField = keyof typeof numberFields

export type SavedFields = { readonly [Field in TextField]: string | null } & { readonly [Field in NumberField]: number | null }

export const titleEmpty = defineProblem('titleEmpty', 'invalid', (_: object) => 'title cannot be empty')
export const queryAndProvider = defineProblem(
  'queryAndProvider',
  'invalid',
  (_: object) => 'query and page provider parameters are mutually exclusive (query, queryLanguage, pageProviderName)',
)
export const nothingToSave = defineProblem(
  'nothingToSave',
  'invalid',
  (_: object) => 'query or page provider parameters are missing (query, queryLanguage, pageProviderName)',
)
export const languageMissing = defineProblem('languageMissing', 'invalid', (_: object) => 'queryLanguage parameter is missing')
export const queryMissing = defineProblem('queryMissing', 'invalid', (_: object) => 'query parameter is missing')

const text = (description: string) => Type.Optional(Type.Leniently(Type.Nullable(Type.String(), { description })))
const number = (description: string) =>
  Type.Optional(Type.Leniently(Type.Union([Type.Integer(), Type.String(), Type.Null()], { description })))

/** The `savedSearch` entity as clients send it. What is no text is stored as its JSON. */
export const savedSearchBody = entityBody('savedSearch', {
  title: Type.Refused(Type.Leniently(Type.String()), () => titleEmpty({})),
  queryParams: text('Fills the `?` of the query; `$currentUser` is whoever runs it'),
  query: text('NXQL, with queryLanguage and without pageProviderName'),
  queryLanguage: text('`NXQL`'),
  pageProviderName: text('A page provider instead of a query'),
  pageSize: number('Entries a page'),
  currentPageIndex: number('Page, counted from 0'),
  maxResults: number('Counting stops here; of queries only'),
  sortBy: text('Columns, separated by commas'),
  sortOrder: text('`asc` for each column that is to ascend'),
  contentViewData: text('Whatever a user interface keeps with it'),
  params: Type.Forgiving(Type.Map({ description: 'Named parameters, and criteria by the fields of the provider' })),
})

/** @throws what is wrong first: its title, what it searches with. */
export function parseSavedSearch(sent: Static<typeof savedSearchBody>): SavedSearch {
  const title = findText(sent.title)
  if (title === null) throw titleEmpty({})
  const fields = {
    ...mapFields(textFields, (key) => findText(sent[key])),
    ...mapFields(numberFields, (key) => findNumber(key, sent[key])),
    ...mapFields(furtherTextFields, (key) => findText(sent[key])),
  }
  requireEither(fields)
  return { title, fields, params: sent.params }
}

function requireEither({ query, queryLanguage, pageProviderName }: SavedFields): void {
  const hasQuery = query !== null || queryLanguage !== null
  if (hasQuery && pageProviderName !== null) throw queryAndProvider({})
  if (!hasQuery && pageProviderName === null) throw nothingToSave({})
  if (query !== null && queryLanguage === null) throw languageMissing({})
  if (query === null && queryLanguage !== null) throw queryMissing({})
}

/** What of a saved search is the same for all: its title and its fields as they are stored. */
export function storedFields({ title, fields }: SavedSearch): Properties {
  const entries = allFields.map(([key, property]) => [property, fields[key]])
  return { 'dc:title': title, ...Object.fromEntries(entries) }
}

export function readFields({ properties }: Pick<Document, 'properties'>): SavedFields {
  const textAt = (name: string) => findText(properties[name])
  return {
    ...mapFields(textFields, (_, name) => textAt(name)),
    ...mapFields(numberFields, (_, name) => numberAt(properties[name])),
    ...mapFields(furtherTextFields, (_, name) => textAt(name)),
  }
}

/** The parameters that are no property of the stored document, by name. */
export function readNamedParams({ properties }: Pick<Document, 'properties'>): { readonly [name: string]: string } {
  const stored = properties[namedParams]
  const params = Array.isArray(stored) ? stored.filter(isComplexValue) : []
  return Object.fromEntries(params.map(({ key, value }) => [String(key ?? ''), String(value ?? '')]))
}

/** What a value is stored as where only text can be: itself, or JSON. */
export function storedText(value: Json): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : stringifyJson(value)
}

type Field = TextField | NumberField

const allFields = Object.entries({ ...textFields, ...numberFields, ...furtherTextFields }) as [Field, string][]

function mapFields<Key extends string, Value>(
  fields: { readonly [key in Key]: string },
  read: (key: Key, property: string) => Value,
): { readonly [key in Key]: Value } {
  const entries = Object.entries<string>(fields).map(([key, property]) => [key, read(key as Key, property)])
  return Object.fromEntries(entries) as { readonly [key in Key]: Value }
}

function findText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  const text = storedText(value)
  return text.trim() === '' ? null : text
}

function findNumber(key: string, value: Json | undefined): number | null {
  const text = findText(value)
  return text === null ? null : parseWholeNumber(key, text.trim())
}

function numberAt(value: PropertyValue | undefined): number | null {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
}
