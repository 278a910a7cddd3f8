import { defineDocumentType } from '../../model/document-type.ts'
import { alike, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const administrativeStatusSchema = defineSchema('status', {
  fields: alike(string(), 'instanceId', 'serviceId', 'administrative_status', 'statusMessage', 'userLogin'),
})

export const administrativeStatusTypes = [
  defineDocumentType('ManagementRoot', { extends: 'Folder', facets: ['HiddenInNavigation', 'SystemDocument'] }),
  defineDocumentType('AdministrativeStatusContainer', { extends: 'Folder', facets: ['HiddenInNavigation', 'SystemDocument'] }),
  defineDocumentType('AdministrativeStatus', {
    extends: 'Document',
    schemas: ['dublincore', 'status'],
    facets: ['HiddenInNavigation', 'SystemDocument'],
  }),
]
