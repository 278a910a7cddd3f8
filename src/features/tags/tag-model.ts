import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { complex, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'
import { beforeAndAfter, type SaveFacts } from '../../model/versioning.ts'

const facetedTag = defineSchema('facetedTag', {
  prefix: 'nxtag',
  fields: { tags: list(complex({ label: string({ indexed: true }), username: string() })) },
})

/** Where tags were stored before they became data of the tagged document. */
const tag = defineSchema('tag', { prefix: 'tag', fields: { label: string() } })

export const tagSchemas = [facetedTag, tag]

export const tagsProperty = 'nxtag:tags'

export const taggable = defineFacet('NXTag', ['facetedTag'])

export const tagTypes = [
  defineDocumentType('Tag', { extends: 'Document', schemas: ['tag', 'dublincore'], facets: ['HiddenInNavigation'] }),
  defineDocumentType('Tagging', { extends: 'Relation', facets: ['HiddenInNavigation'] }),
]

export const taggableTypes = ['Folder', 'File', 'Note'].map((type) => ({
  type,
  schemas: ['facetedTag'],
  facets: ['NXTag'],
}))

// The stamps of the user who saved come with any change and say nothing about what it was.
const stamps = new Set(['dc:modified', 'dc:contributors', 'dc:lastContributor'])

function changesNothingElse({ changed }: SaveFacts): boolean {
  return [...changed].every((name) => name === tagsProperty || stamps.has(name))
}

export const noVersionForTags = beforeAndAfter('no-versioning-for-faceted-tag', {
  order: 3,
  increment: 'none',
  changes: [tagsProperty],
  condition: changesNothingElse,
})
