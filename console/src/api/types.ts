import type { components } from './entities.ts'

type Schemas = components['schemas']

export type Document = Schemas['Document']
export type DocumentPage = Schemas['DocumentPage']
export type User = Schemas['User']

/** What a document has in its properties, by xpath. */
export function propertyOf<Value = string>(document: Document, xpath: string): Value | undefined {
  return (document.properties?.[xpath] ?? undefined) as Value | undefined
}

/** A file in a property. */
export interface Blob {
  readonly name: string | null
  readonly 'mime-type': string | null
  readonly length: string
  readonly digest: string
  readonly data: string
}

export function mainFileOf(document: Document): Blob | undefined {
  return propertyOf<Blob>(document, 'file:content')
}

export function isFolder({ facets }: Document): boolean {
  return facets?.includes('Folderish') ?? false
}

/** How many documents there are, of which a page shows some. */
export function totalOf({
  totalSize,
  resultsCount,
}: Pick<DocumentPage, 'resultsCount'> & { readonly totalSize?: number }): number {
  return totalSize ?? resultsCount
}

export function hasFacet({ facets }: Document, facet: string): boolean {
  return facets?.includes(facet) ?? false
}

/** Whether the caller has a permission on a document that was read with the enricher `permissions`. */
export function isAllowed({ contextParameters }: Document, permission: string): boolean {
  return contextParameters?.permissions?.includes(permission) ?? false
}
