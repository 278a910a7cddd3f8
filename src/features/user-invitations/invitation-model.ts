import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, boolean, complex, date, list, string } from '../../model/field.ts'
import type { Lifecycle } from '../../model/lifecycle.ts'
import { defineSchema } from '../../model/schema.ts'
import { emailPattern } from '../people/index.ts'

const userInfo = defineSchema('userinfo', {
  prefix: 'userinfo',
  fields: {
    ...alike(string(), 'login', 'firstName', 'lastName', 'company'),
    email: string({ pattern: emailPattern }),
    groups: list(string()),
    tenantId: string(),
  },
})

const registration = defineSchema('registration', {
  prefix: 'registration',
  fields: {
    validationMethod: string(),
    accepted: boolean(),
    ...alike(string(), 'copyTo', 'comment', 'originatingUser'),
  },
})

const registrationConfiguration = defineSchema('registrationconfiguration', {
  prefix: 'registrationconfiguration',
  fields: { name: string() },
})

/** What is known of a request beside who is invited by whom. */
const invitation = defineSchema('invitation', {
  prefix: 'invitation',
  fields: {
    /** When its link ends. */
    expires: date(),
    /** What the inviter wants the author of the mail to know. */
    info: list(complex({ key: string(), value: string() })),
  },
})

export const invitationSchemas = [userInfo, registration, registrationConfiguration, invitation]

export const invitationFacets = [
  defineFacet('UserInvitation', ['userinfo', 'registration']),
  defineFacet('RegistrationConfiguration', ['registrationconfiguration']),
  defineFacet('Invitation', ['invitation']),
]

export const invitationTypes = [
  defineDocumentType('UserInvitation', {
    extends: 'File',
    schemas: ['userinfo', 'registration'],
    facets: ['UserInvitation', 'HiddenInNavigation'],
    lifecycle: 'registrationRequest',
  }),
  defineDocumentType('UserInvitationContainer', { extends: 'Workspace', facets: ['HiddenInNavigation'], lifecycle: 'default' }),
]

export const registrationRequest: Lifecycle = {
  name: 'registrationRequest',
  initial: 'created',
  states: { created: ['approve', 'reject'], approved: ['accept'], accepted: ['process'], rejected: [], processed: [] },
  transitions: { approve: 'approved', reject: 'rejected', accept: 'accepted', process: 'processed' },
}
