import type { Document } from '../../api/types.ts'

/** The types of which somebody can create a document in the folder. */
export function typesFor({ contextParameters }: Document): readonly string[] {
  const types = contextParameters?.subtypes ?? []
  return types.filter(({ facets }) => !facets.includes('HiddenInCreation')).map(({ type }) => type)
}
