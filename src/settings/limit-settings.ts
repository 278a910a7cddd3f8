import { usualJsonBounds } from '../base/json.ts'
import { defineSettings, type SettingValues } from './define-settings.ts'

/** How much one request, one value and one caller may take, so that nobody else has to wait for it. */
export const limitSettings = defineSettings({
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
  answerMaxSize: {
    type: 'bytes',
    default: '20 MB',
    min: '1 MB',
    help: 'Largest answer with entities, about; files are not counted. The documents that are read for one page may hold twice as much',
  },
  answerMaxEntities: {
    type: 'integer',
    default: 20_000,
    min: 1_000,
    help: 'Most documents, users and other entities in an answer, those inside of others included',
  },
  listMaxItems: {
    type: 'integer',
    default: 5_000,
    min: 100,
    help: 'Most items in a list of a document',
  },
  propertyMaxCharacters: {
    type: 'integer',
    default: 2_000_000,
    min: 1_000,
    help: 'Most characters in a property of a document',
  },
  documentMaxCharacters: {
    type: 'integer',
    default: 5_000_000,
    min: 1_000,
    help: 'Most characters in all properties of a document together',
  },
  documentMaxValues: {
    type: 'integer',
    default: 50_000,
    min: 1_000,
    help: 'Most values in all properties of a document together, items of lists and parts included',
  },
  maxConnections: {
    type: 'integer',
    default: 10_000,
    min: 1,
    help: 'Most connections of a process; when all are taken, the one that was waited for the longest makes way',
  },
  maxConnectionsPerAddress: {
    type: 'integer',
    default: 1_000,
    min: 1,
    help: 'Most connections from one address that is not a trusted proxy',
  },
  connectionFirstByteTimeout: {
    type: 'duration',
    default: '30s',
    bareUnit: 's',
    min: '100ms',
    help: 'Time after which a connection on which nothing was sent is closed',
  },
  connectionHeadersTimeout: {
    type: 'duration',
    default: '60s',
    bareUnit: 's',
    min: '100ms',
    help: 'Time within which the head of a request has to be there',
  },
  connectionMinRate: {
    type: 'bytes',
    default: '100',
    help: 'Least that a client sends of its body or reads of its answer in a second, on average over the time of the upload timeout',
  },
})

export type LimitSettings = SettingValues<typeof limitSettings>
