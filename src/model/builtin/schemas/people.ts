import { alike, blob, boolean, date, list, string } from '../../field.ts'
import { defineSchema } from '../../schema.ts'
import { emailPattern } from './directory.ts'

export const userProfile = defineSchema('userprofile', {
  prefix: 'userprofile',
  fields: {
    avatar: blob(),
    birthdate: date(),
    phonenumber: string(),
    gender: boolean({ default: false }),
    locale: string(),
  },
})

export const userInfo = defineSchema('userinfo', {
  prefix: 'userinfo',
  fields: {
    ...alike(string(), 'login', 'firstName', 'lastName', 'company'),
    email: string({ pattern: emailPattern }),
    groups: list(string()),
    tenantId: string(),
  },
})

export const registration = defineSchema('registration', {
  prefix: 'registration',
  fields: {
    validationMethod: string(),
    accepted: boolean(),
    ...alike(string(), 'copyTo', 'comment', 'originatingUser'),
  },
})

export const registrationConfiguration = defineSchema('registrationconfiguration', {
  prefix: 'registrationconfiguration',
  fields: { name: string() },
})

export const peopleSchemas = [userProfile, userInfo, registration, registrationConfiguration]
