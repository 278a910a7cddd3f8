import { defineDocumentType } from '../../document-type.ts'

export const peopleTypes = [
  defineDocumentType('UserWorkspacesRoot', {
    extends: 'Folder',
    facets: ['SuperSpace', 'HiddenInNavigation'],
    subtypes: ['Workspace'],
    lifecycle: 'default',
  }),
  defineDocumentType('UserProfile', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'userprofile'],
    facets: ['UserProfile', 'HiddenInNavigation'],
  }),
  defineDocumentType('UserInvitation', {
    extends: 'File',
    schemas: ['userinfo', 'registration'],
    facets: ['UserInvitation', 'HiddenInNavigation'],
    lifecycle: 'registrationRequest',
  }),
  defineDocumentType('UserInvitationContainer', { extends: 'Workspace', facets: ['HiddenInNavigation'], lifecycle: 'default' }),
]
