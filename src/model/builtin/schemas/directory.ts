import { alike, boolean, list, long, string } from '../../field.ts'
import { defineSchema } from '../../schema.ts'

export const emailPattern = '[^@]+@[^\\.]+\\..+'

export const user = defineSchema('user', {
  prefix: 'user',
  fields: {
    ...alike(string(), 'username', 'password', 'firstName', 'lastName', 'company'),
    email: string({ pattern: emailPattern }),
    groups: list(string()),
    tenantId: string(),
  },
})

export const group = defineSchema('group', {
  prefix: 'group',
  fields: {
    ...alike(string(), 'groupname', 'grouplabel', 'description'),
    ...alike(list(string()), 'members', 'subGroups', 'parentGroups'),
    tenantId: string(),
  },
})

const retirementAndOrder = { obsolete: long({ default: 0 }), ordering: long({ default: 10_000_000 }) }
const labelled = alike(string(), 'id', 'label')
const translated = alike(string(), 'id', 'label_en', 'label_fr')
const parent = { parent: string() }

export const vocabulary = defineSchema('vocabulary', { fields: { ...labelled, ...retirementAndOrder } })
export const childVocabulary = defineSchema('xvocabulary', { fields: { ...labelled, ...parent, ...retirementAndOrder } })
export const translatedVocabulary = defineSchema('l10nvocabulary', { fields: { ...translated, ...retirementAndOrder } })
export const translatedChildVocabulary = defineSchema('l10nxvocabulary', {
  fields: { ...translated, ...parent, ...retirementAndOrder },
})

export const documentsLists = defineSchema('documentsLists', {
  fields: { ...alike(string(), 'id', 'userid', 'listid', 'repo', 'ref'), reftype: long() },
})

export const aceInfo = defineSchema('aceinfo', {
  prefix: 'aceinfo',
  fields: {
    ...alike(string(), 'id', 'repositoryName', 'docId', 'aclName', 'aceId'),
    notify: boolean(),
    comment: string(),
  },
})

/** Schemas of directory entries; no document has them. */
export const directorySchemas = [
  user,
  group,
  vocabulary,
  childVocabulary,
  translatedVocabulary,
  translatedChildVocabulary,
  documentsLists,
  aceInfo,
]
