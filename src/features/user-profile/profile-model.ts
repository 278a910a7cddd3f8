import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { blob, boolean, date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const profileSchema = defineSchema('userprofile', {
  prefix: 'userprofile',
  fields: {
    avatar: blob(),
    birthdate: date(),
    phonenumber: string(),
    gender: boolean({ default: false }),
    locale: string(),
  },
})

export const profileFacet = defineFacet('UserProfile', ['userprofile'])

export const profileType = defineDocumentType('UserProfile', {
  isReserved: true,
  extends: 'Document',
  schemas: ['common', 'dublincore', 'userprofile'],
  facets: ['UserProfile', 'HiddenInNavigation'],
})
