import { usualJsonBounds } from '../base/json.ts'
import type { VendorIdentifiers } from '../base/vendor.ts'
import type { valueSettings } from '../core/content-settings.ts'
import { defineSettings, type SettingValues } from '../settings/define-settings.ts'
import type { JsonLimits } from './render/json-bytes.ts'
import type { ServerFacts } from './services.ts'

/**
 * How entities are read and written. Each is also known by the property name that clients' documentation uses
 * (contract: security 13, documents 16), written here in its neutral form.
 */
export const apiSettings = defineSettings({
  devMode: {
    type: 'boolean',
    default: false,
    property: 'org.platform.dev',
    help: 'Development: null origins allowed, and properties that would be ignored are refused',
  },
  restStackEnable: {
    type: 'boolean',
    default: false,
    property: 'org.platform.rest.stack.enable',
    help: 'Write stack traces into error answers',
  },
  documentJsonFetchHeavy: {
    type: 'boolean',
    default: false,
    property: 'platform.document.json.fetch.heavy',
    help: 'Always write versionLabel and lock of a document',
  },
  documentJsonLegacy: {
    type: 'boolean',
    default: false,
    property: 'platform.document.json.legacy',
    help: 'Store an empty text as null',
  },
  distributionVersion: {
    type: 'string',
    default: '10.10',
    property: 'org.platform.distribution.version',
    help: 'Version in the capabilities: the one of the API that is spoken',
  },
  managementUser: {
    type: 'string',
    property: 'platform.management.api.user',
    help: 'User beside administrators who may call the management API, such as a program that watches the server',
  },
  managementPort: {
    type: 'integer',
    min: 0,
    max: 65535,
    property: 'platform.management.api.http.port',
    help: 'Port of its own for the management API and /metrics, which are then not answered on the other; 0 takes any free one',
  },
  managementHost: {
    type: 'string',
    default: '127.0.0.1',
    pattern: { matches: /^[\w.:-]+$/, expected: 'an address or a host name' },
    help: 'Address to listen on with the management port',
  },
})

/** How much one request may send and be answered with, so that no other client has to wait for it. */
export const entityLimitSettings = defineSettings({
  jsonMaxSize: {
    type: 'bytes',
    default: '10 MB',
    min: '1 kB',
    property: 'platform.http.json.maxSize',
    help: 'Largest JSON body taken',
  },
  jsonMaxValues: {
    type: 'integer',
    default: usualJsonBounds.maxValues,
    min: 1_000,
    help: 'Most values in a JSON body, the lists and objects that hold them included',
  },
  jsonMaxMembers: {
    type: 'integer',
    default: usualJsonBounds.maxMembers,
    min: 500,
    help: 'Most names in one object of a JSON body',
  },
  jsonMaxDepth: {
    type: 'integer',
    default: usualJsonBounds.maxDepth,
    min: 10,
    max: 1_000,
    help: 'Deepest nesting of a JSON body',
  },
  answerMaxEntities: {
    type: 'integer',
    default: 20_000,
    min: 1_000,
    help: 'Most documents, users and other entities in an answer, those inside of others included',
  },
})

export type ApiValues = SettingValues<typeof apiSettings>
export type EntityLimitValues = SettingValues<typeof entityLimitSettings> &
  Pick<SettingValues<typeof valueSettings>, 'answerMaxSize'>

export function factsOf(settings: ApiValues & EntityLimitValues, vendored: VendorIdentifiers): ServerFacts {
  return {
    vendored,
    apiVersion: settings.distributionVersion,
    devMode: settings.devMode,
    fetchHeavy: settings.documentJsonFetchHeavy,
    legacyJson: settings.documentJsonLegacy,
    managementUser: settings.managementUser,
    answerLimits: { maxEntities: settings.answerMaxEntities, maxBytes: settings.answerMaxSize },
  }
}

export function jsonLimitsOf(settings: EntityLimitValues): JsonLimits {
  return {
    maxBytes: settings.jsonMaxSize,
    maxValues: settings.jsonMaxValues,
    maxMembers: settings.jsonMaxMembers,
    maxDepth: settings.jsonMaxDepth,
  }
}
