import type { OperationContext } from '../../../automation/context.ts'
import { defaulted, optional, type ParametersOf } from '../../../automation/parameter.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import { type Json, stringifyJson } from '../../../base/json.ts'
import type { ProviderRequest } from '../../../core/search/providers/provider-request.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { sortsOf } from '../../../rest/request/paging.ts'
import { nxqlLanguage } from '../nxql-provider.ts'

/** Parameters of every operation that searches. */
export const searchParameters = {
  language: defaulted('string', nxqlLanguage, { values: [nxqlLanguage], description: 'There is no other' }),
  currentPageIndex: optional('integer', { aliases: ['page'], description: 'The page, counted from 0' }),
  pageSize: optional('integer', { description: 'Entries a page; as many as are allowed when 0' }),
  queryParams: optional('stringlist', {
    aliases: ['searchTerm'],
    description: 'Fill each ? in turn; $currentUser and $currentRepository are replaced',
  }),
  namedParameters: optional('properties', { description: 'Fill what the query or provider has a name for' }),
  sortBy: optional('stringlist', { description: 'Columns, instead of the order of the query or provider' }),
  sortOrder: optional('stringlist', { values: ['ASC', 'DESC'], description: 'For each column; descending unless ASC' }),
} as const

/** What is asked of a provider. A document that the operation is given is where the search starts. */
export function requestOf(params: ParametersOf<typeof searchParameters>, { input }: OperationContext): ProviderRequest {
  const { currentPageIndex, pageSize, queryParams, namedParameters = {}, sortBy = [], sortOrder = [] } = params
  const columns = sortBy.filter((column) => column !== '')
  return {
    ...(currentPageIndex !== undefined && { pageIndex: currentPageIndex }),
    ...(pageSize !== undefined && { pageSize }),
    ...(queryParams !== undefined && { parameters: queryParams }),
    named: namedValues(namedParameters),
    ...(columns.length > 0 && { sort: sortsOf(columns, sortOrder) }),
    ...(input.kind === 'document' && { currentDocument: input.document }),
  }
}

/** The same for a provider that is named. An empty text is an empty list to an operation, and an empty term to a provider. */
export function namedRequestOf(params: ParametersOf<typeof searchParameters>, context: OperationContext): ProviderRequest {
  const request = requestOf(params, context)
  return request.parameters?.length === 0 ? { ...request, parameters: [''] } : request
}

/** What named parameters that an operation is sent stand for. */
export function namedValues(sent: SentProperties): { readonly [name: string]: PropertyValue } {
  return Object.fromEntries(Object.entries(sent).flatMap(([name, json]) => namedValue(name, json)))
}

/** Null is not sent; what has members is text, as it is when it comes in an address. */
function namedValue(name: string, json: Json): readonly (readonly [string, PropertyValue])[] {
  if (json === null) return []
  const isList = Array.isArray(json) && json.every((item) => typeof item !== 'object' || item === null)
  return [[name, typeof json !== 'object' || isList ? (json as PropertyValue) : stringifyJson(json)]]
}
