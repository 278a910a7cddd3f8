import type { components } from './entities.ts'

type Schemas = components['schemas']

export type Document = Schemas['Document']
export type DocumentPage = Schemas['DocumentPage']
export type User = Schemas['User']

/** What a document has in its properties, by xpath. */
export function propertyOf<Value = string>(document: Partial<Document>, xpath: string): Value | undefined {
  return (document.properties?.[xpath] ?? undefined) as Value | undefined
}

const isSeen = /[\p{L}\p{N}\p{P}\p{S}]/u

/** What a document is called: one whose title has nothing to see by the end of its path, as one that has none. */
export function titleOf({ title, path, uid }: Pick<Document, 'title' | 'path' | 'uid'>): string {
  const names = [title, path?.split('/').at(-1), uid]
  return names.find((name) => name !== undefined && isSeen.test(name)) ?? title
}

/** A file in a property. */
export interface Blob {
  readonly name: string | null
  readonly 'mime-type': string | null
  readonly length: string
  readonly digest: string
  readonly data: string
}

export function mainFileOf(document: Partial<Document>): Blob | undefined {
  return propertyOf<Blob>(document, 'file:content')
}

export function isFolder({ facets }: Partial<Document>): boolean {
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
