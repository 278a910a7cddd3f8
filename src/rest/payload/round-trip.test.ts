import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { administrator, alice, aModel, aRenderContext, aSession, baseUrl } from '../../../test/support/rendering.ts'
import { aStoredDocument } from '../../../test/support/stored-document.ts'
import { parseJson, stringifyJson } from '../../base/json.ts'
import { silentLog } from '../../base/log.ts'
import type { Reference, References } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { binary, boolean, complex, date, double, type FieldType, list, long, type Resolver, string } from '../../model/field.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { defineSchema } from '../../model/schema.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { writeDocument } from '../render/document-entity.ts'
import type { EntityWriter } from '../render/rendering.ts'
import { readBody } from './declared-input.ts'
import { documentBody } from './document-payload.ts'
import { resolveBlobs, stageBlobs } from './sent-blobs.ts'
import { readProperties } from './sent-properties.ts'

// Whatever an answer shows can be sent back as it came, and nothing changes by it.

const documentReference = (store: 'id' | 'pathOnly') => string({ resolver: { kind: 'document', store, validation: true } })

const model = aModel({
  schemas: [
    defineSchema('everything', {
      prefix: 'all',
      fields: {
        text: string({ default: 'given' }),
        number: long({ default: 3 }),
        numbers: list(long()),
        ratio: double(),
        flag: boolean({ default: true }),
        moment: date(),
        bytes: binary(),
        words: list(string(), { default: ['a', 'b'] }),
        part: complex({
          name: string({ default: 'x' }),
          inner: complex({ deep: list(string()), when: date() }),
          flag: boolean(),
        }),
        parts: list(complex({ label: string(), count: long({ default: 1 }), more: list(complex({ id: string() })) })),
        linked: documentReference('id'),
        placed: list(documentReference('pathOnly')),
      },
      secured: ['flag'],
    }),
  ],
  documentTypes: [defineDocumentType('Everything', { extends: 'File', schemas: ['everything'] })],
})

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const isoDate = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((moment) => moment.toISOString())
const aLong = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: 9007199254740992n, max: 9223372036854775807n }),
  fc.bigInt({ min: -9223372036854775808n, max: -9007199254740992n }),
)
const blob = fc.record({
  key: fc.constant('k'),
  name: fc.option(text),
  'mime-type': fc.option(text),
  encoding: fc.option(text),
  digest: fc.constant('d'),
  digestAlgorithm: fc.constant('MD5'),
  length: fc.nat(),
})

function anyReference(resolver: Resolver): fc.Arbitrary<string> {
  switch (resolver.kind) {
    case 'user':
      return fc.constantFrom('alice', 'bob', 'user:carol', 'nobody')
    case 'directory':
      return fc.constantFrom('art/cinema', 'cinema', 'europe/France', 'a/b/c', 'article', 'nobody')
    case 'document':
      return resolver.store === 'id'
        ? fc.constantFrom('default:other', 'default:/other', 'nobody')
        : fc.constantFrom('/other', 'other', 'nobody')
  }
}

function anyValue(type: FieldType): fc.Arbitrary<PropertyValue> {
  switch (type.kind) {
    case 'list':
      return fc.array(anyValue(type.item.type), { maxLength: 3 })
    case 'complex':
      return fc.option(
        fc.record(Object.fromEntries(type.fields.map((field) => [field.name, anyValue(field.type)])), {
          requiredKeys: [],
        }) as fc.Arbitrary<Properties>,
      )
    case 'blob':
      return fc.option(blob)
    case 'string':
      return fc.option(type.resolver === undefined ? text : anyReference(type.resolver))
    case 'long':
      return fc.option(aLong)
    case 'double':
      return fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.option(fc.boolean())
    case 'date':
      return fc.option(isoDate)
    case 'binary':
      return fc.option(fc.base64String({ minLength: 4 }))
  }
}

function documentOf(type: string): fc.Arbitrary<Document> {
  const properties = [...model.shapeOf({ type }).properties.values()].filter(({ name }) => !/^uid:m/.test(name))
  const values = Object.fromEntries(properties.map(({ name, field }) => [name, anyValue(field.type)]))
  return fc
    .record(values, { requiredKeys: [] })
    .map((stored) => aStoredDocument({ id: 'self', type, path: '/self', name: 'self', properties: stored as Properties }))
}

const other = aStoredDocument({ id: 'other', path: '/other', name: 'other' })

/** Finds whatever has a name but `nobody`. */
const found: References = {
  async find(_session, resolver, value): Promise<Reference | undefined> {
    if (value === 'nobody') return undefined
    if (resolver.kind === 'user') return { kind: 'user', id: value.replace('user:', '') }
    if (resolver.kind === 'document') return { kind: 'document', document: other }
    const [id = '', parent = null] = value.split('/').reverse()
    return { kind: 'directoryEntry', directory: resolver.directory, entry: { id, values: { id, parent } } }
  },
}

const writers: readonly EntityWriter[] = [
  { entityType: 'user', write: async (_context, id) => ({ 'entity-type': 'user', id }) },
  {
    entityType: 'directoryEntry',
    async write(_context, value) {
      const { entry } = value as Extract<Reference, { kind: 'directoryEntry' }>
      return { 'entity-type': 'directoryEntry', id: entry.id, properties: entry.values }
    },
  },
  { entityType: 'document', write: async (context, value) => writeDocument(context, value as Document) },
]

async function sendBack(document: Document, headers: { [name: string]: string }, isAdministrator: boolean): Promise<Properties> {
  const principal = isAdministrator ? administrator : alice
  const session = aSession([], { model, references: found, principal })
  const entityWriters = new Map(writers.map((writer) => [writer.entityType, writer]))
  const context = aRenderContext(session, { headers: { properties: '*', ...headers }, rendering: { entityWriters } })
  const body = parseJson(stringifyJson(await writeDocument(context, document)))
  const { properties = {} } = readBody(documentBody, body)
  const shape = model.shapeOf(document)
  const staged = await stageBlobs(properties, { model, blobs: {} as BlobStore, baseUrl, log: silentLog })
  const blobs = await resolveBlobs(session, staged, { shape, current: document })
  return readProperties(properties, { model, shape, principal, current: document, blobs, emptyStringIsNull: false })
}

describe('an answer sent back as it came changes nothing', () => {
  for (const type of ['Everything', 'Picture', 'Video', 'Workspace', 'RouteNode']) {
    test(`for a ${type}`, async () => {
      const runs = fc.asyncProperty(documentOf(type), fc.boolean(), async (document, isAdministrator) => {
        assert.deepEqual(await sendBack(document, {}, isAdministrator), {})
      })
      await fc.assert(runs, { numRuns: 40 })
    })
  }

  for (const type of ['Everything', 'File']) {
    test(`for a ${type} with what its properties refer to in their place`, async () => {
      const runs = fc.asyncProperty(documentOf(type), async (document) => {
        assert.deepEqual(await sendBack(document, { 'fetch-document': 'properties' }, true), {})
      })
      await fc.assert(runs, { numRuns: 60 })
    })
  }
})
