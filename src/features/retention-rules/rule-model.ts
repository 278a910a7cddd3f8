import { recordManagersGroup } from '../../core/record-cleaning.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, boolean, date, directoryEntry, list, long, string } from '../../model/field.ts'
import type { Permission, VisiblePermission } from '../../model/rights/permission.ts'
import { defineSchema } from '../../model/schema.ts'

export const ruleFacet = 'RetentionRule'
export const recordFacet = 'Record'
export const rulesType = 'RetentionRules'

export const policies = ['immediate', 'after_delay', 'event_based', 'metadata_based'] as const
export type StartPolicy = (typeof policies)[number]

/** Whom the rule is for, and whether it is in force. */
export const ruleProperties = {
  application: 'retention_rule:applicationPolicy',
  enabled: 'retention_rule:enabled',
  flexible: 'retention_rule:flexibleRecords',
  types: 'retention_rule:docTypes',
} as const

/** What the rule says of a document; a record has all of it as it was when the rule was attached. */
export const definitionProperties = {
  years: 'retention_def:durationYears',
  months: 'retention_def:durationMonths',
  days: 'retention_def:durationDays',
  millis: 'retention_def:durationMillis',
  expression: 'retention_def:expression',
  policy: 'retention_def:startingPointPolicy',
  event: 'retention_def:startingPointEvent',
  eventExpression: 'retention_def:startingPointExpression',
  eventValue: 'retention_def:startingPointValue',
  metadata: 'retention_def:metadataXPath',
  beginActions: 'retention_def:beginActions',
  endActions: 'retention_def:endActions',
} as const

export const recordProperties = {
  ruleIds: 'record:ruleIds',
  retainUntil: 'record:retainUntil',
  attached: 'record_state:attached',
  flexible: 'record_state:flexible',
  endDue: 'record_state:endDue',
} as const

export const maxTypes = 500
export const maxActions = 20
export const maxExpression = 4_000
const noWords = { hasWords: false } as const

const retentionRule = defineSchema('retention_rule', {
  fields: {
    applicationPolicy: string({ nillable: false, default: 'manual', values: ['auto', 'manual'], ...noWords }),
    enabled: boolean({ default: true }),
    flexibleRecords: boolean({ default: false }),
    docTypes: list(string(noWords), noWords),
  },
})

const actions = (directory: string) => list(directoryEntry(directory, noWords), noWords)

const retentionDefinition = defineSchema('retention_definition', {
  prefix: 'retention_def',
  fields: {
    ...alike(long({ default: 0 }), 'durationDays', 'durationMonths', 'durationYears', 'durationMillis'),
    expression: string({ maxLength: maxExpression, ...noWords }),
    startingPointPolicy: string({ nillable: false, values: policies, ...noWords }),
    // Few documents have it, and a fired event looks for all of them.
    startingPointEvent: directoryEntry('RetentionEvent', { indexed: 'sparse', ...noWords }),
    startingPointExpression: string({ maxLength: maxExpression, ...noWords }),
    startingPointValue: string({ maxLength: maxExpression, ...noWords }),
    metadataXPath: string({ maxLength: 500, ...noWords }),
    beginActions: actions('RetentionBegin'),
    endActions: actions('RetentionEnd'),
  },
})

const record = defineSchema('record', {
  fields: {
    ruleIds: list(string({ resolver: { kind: 'document', store: 'id', validation: false }, ...noWords }), noWords),
    retainUntil: date(),
  },
})

const recordState = defineSchema('record_state', {
  fields: { attached: date(), flexible: boolean(), endDue: boolean() },
})

const strings = list(string())

const retentionSearch = defineSchema('retention_search', {
  prefix: 'ret_search',
  fields: {
    ecm_fulltext: string(),
    dc_creator: strings,
    ...alike(strings, 'doc_type_agg', 'record_retain_agg', 'ecm_retain_agg', 'rules_agg'),
  },
})

export const ruleSchemas = [retentionRule, retentionDefinition, record, recordState, retentionSearch]

export const ruleFacets = [
  defineFacet(ruleFacet, ['retention_rule', 'retention_definition']),
  defineFacet(recordFacet, ['record', 'retention_definition', 'record_state'], { isReserved: true }),
]

export const ruleTypes = [
  defineDocumentType('RetentionSearch', {
    extends: 'SavedSearch',
    schemas: ['retention_search'],
    facets: ['ContentViewDisplay'],
  }),
  defineDocumentType('RetentionRule', {
    extends: 'Document',
    schemas: ['uid', 'dublincore', 'common'],
    facets: ['Versionable', 'NotCollectionMember', 'NXTag', ruleFacet],
    icon: '/icons/retention_rule.png',
  }),
  // What lies in it decides about documents that its writers may not even read.
  defineDocumentType(rulesType, {
    isReserved: true,
    extends: 'OrderedFolder',
    facets: ['SuperSpace', 'HiddenInCreation', 'HiddenInNavigation', 'NotCollectionMember'],
    subtypes: ['RetentionRule'],
    icon: '/icons/ordered_folder.png',
  }),
]

export const rulePermissions: readonly Permission[] = [
  { name: 'UnsetRetention', includes: [] },
  { name: 'ManageRecord', includes: ['ReadWrite', 'MakeRecord', 'SetRetention', 'UnsetRetention'] },
]

export const offeredPermissions: readonly VisiblePermission[] = [
  { name: 'ManageRecord', order: 70, types: '*' },
  { name: 'ManageLegalHold', order: 71, types: '*' },
]

export { recordManagersGroup }
