import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { long } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const audioFacetName = 'Audio'
export const durationProperty = 'aud:duration'

export const audioSchema = defineSchema('audio', {
  prefix: 'aud',
  fields: { duration: long() },
})

export const audioFacet = defineFacet(audioFacetName, ['file', 'audio'])

export const audioType = defineDocumentType('Audio', {
  extends: 'Document',
  schemas: ['common', 'dublincore', 'uid', 'file', 'audio', 'facetedTag'],
  facets: ['Audio', 'Commentable', 'Versionable', 'Publishable', 'NXTag'],
  lifecycle: 'default',
  icon: '/icons/audio.png',
})

export const audioInFolders = ['Folder', 'OrderedFolder', 'Workspace'].map((type) => ({ type, subtypes: ['Audio'] }))
