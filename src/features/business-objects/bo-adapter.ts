import type { BusinessObject } from '../../automation/business-object.ts'
import { readSentChanges, readSentProperties } from '../../automation/values/read-sent-properties.ts'
import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { nameFrom } from '../../core/documents/name-in-folder.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { parseXpath } from '../../model/properties/xpath.ts'
import { type Adapter, type AdapterMethodCall, adapterMethod } from '../../rest/adapter.ts'
import { type Answer, json } from '../../rest/answer.ts'
import { eitherAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityTypeWrong } from '../../rest/payload/entity-payload.ts'
import { noEarlierBlobs } from '../../rest/payload/sent-blobs.ts'
import { stageSentBlobs } from '../../rest/payload/stage-sent-blobs.ts'
import { olderPlaceFields, placeFields, writeOlderPlace, writePlace } from '../../rest/render/page-fields.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Resource } from '../../rest/resource.ts'
import { createOperationHost } from '../automation/index.ts'
import {
  adaptDocument,
  type BusinessValue,
  isAdaptable,
  propertiesOf,
  readBusinessObject,
  requireAdaptable,
} from './adapted-document.ts'
import { readText } from './operations.ts'

export const otherBusinessObject = defineProblem(
  'otherBusinessObject',
  'invalid',
  (of: { sent: string; addressed: string }) => `The value is of document ${of.sent}, but the address is that of ${of.addressed}.`,
)

export const newNameMissing = defineProblem(
  'newNameMissing',
  'invalid',
  (of: { adapter: string }) => `Say what the new document is to be called in its folder: @bo/${of.adapter}/{name}.`,
)

export const oneDocumentNeeded = defineProblem(
  'oneDocumentNeeded',
  'invalid',
  (_: object) => 'A business object is saved and made on one document, not on a list of them.',
)

const objectSchema = Type.Object(
  {
    'entity-type': Type.String({ description: 'The name of the business object' }),
    value: Type.Map({ description: 'id and type of the document, and the fields of the business object' }),
  },
  { $id: 'BusinessObject', additionalProperties: true, description: 'The members of value stand beside it once more' },
)

const objectListSchema = Type.Object(
  {
    'entity-type': Type.Literal('adapters'),
    ...Object.fromEntries(
      Object.entries({ ...placeFields, ...olderPlaceFields }).map(([name, field]) => [name, Type.Optional(field)]),
    ),
    totalSize: Type.Integer(),
    entries: Type.Array(objectSchema),
  },
  { $id: 'BusinessObjectList' },
)

const sentObject = Type.Object(
  {
    'entity-type': Type.String({ description: 'The name of the business object, as in the address' }),
    value: Type.Map({ description: 'Its fields; what is left out stays as it is, null clears' }),
  },
  {
    additionalProperties: true,
    examples: [{ 'entity-type': 'BusinessBean', value: { type: 'Note', title: 'Plan', note: 'text' } }],
  },
)

type SentObject = Static<typeof sentObject>
type Call = AdapterMethodCall

const errors = {
  400: 'a body that is no such object, or of another document',
  404: 'no such business object, or none of such a document',
} as const

/** `/id/x/@bo/NoteCard`: documents as small objects of a deployment's own making (contract: adapters 8). */
export const businessObjectAdapter: Adapter = {
  name: 'bo',
  summary: 'A document as a business object that a plugin declares',
  accepts: ['document', 'documents'],
  tail: '{businessObject}',
  methods: {
    GET: adapterMethod({
      operationId: 'getBusinessObject',
      summary: 'The business object of the document, or those of the documents of the page',
      answers: { 200: eitherAnswer('one, or those of a page', [objectSchema, objectListSchema]), ...errors },
      handle: ({ exchange, tail, resolve }) =>
        exchange.read(async (session) => {
          const object = objectNamed(exchange, tail, 1)
          const resource = await resolve(session)
          const adapt = (document: Document) => written(adaptDocument(session, object, document, exchange.request.baseUrl))
          if (resource.kind === 'document') return json(adapt(resource.document))
          const { documents = [], page } = resource.kind === 'documents' ? resource : {}
          const entries = documents.filter((document) => isAdaptable(session, object, document)).map(adapt)
          const place = page && { ...writePlace(page), ...writeOlderPlace(page) }
          return json({ 'entity-type': 'adapters', ...place, totalSize: page?.resultsCount ?? documents.length, entries })
        }),
    }),
    PUT: adapterMethod({
      operationId: 'updateBusinessObject',
      summary: 'Save the business object of the document',
      body: sentObject,
      answers: { 200: objectSchema, ...errors, 403: 'no right to write the document' },
      handle: (call) => saveObject(call, () => call.sent.body),
    }),
    POST: adapterMethod({
      operationId: 'createBusinessObject',
      summary: 'Create a document below this one from a business object; its name follows that of the object',
      body: sentObject,
      answers: { 200: objectSchema, ...errors, 403: 'no right to add children' },
      handle: (call) => createObject(call, () => call.sent.body),
    }),
  },
}

async function saveObject({ exchange, tail, resolve }: Call, sent: () => SentObject): Promise<Answer> {
  const object = objectNamed(exchange, tail, 1)
  const target = await exchange.read(async (session) => oneDocument(await resolve(session)))
  const value = sentValue(sent(), object)
  if (value['id'] !== undefined && readText(value, 'id') !== target.id)
    throw otherBusinessObject({ sent: readText(value, 'id'), addressed: target.id })
  const host = await stagedHost(exchange, object, value)
  return exchange.write(async (session) => {
    const document = oneDocument(await resolve(session))
    requireAdaptable(session, object, document)
    const changes = await readSentChanges({ session, host }, document, propertiesOf(object, value))
    const saved = await saveDocument(session, document.id, changes)
    return json(written(adaptDocument(session, object, saved, exchange.request.baseUrl)))
  })
}

async function createObject({ exchange, tail, resolve }: Call, sent: () => SentObject): Promise<Answer> {
  const object = objectNamed(exchange, tail, 2)
  const [, name = ''] = tail
  if (name.trim() === '') throw newNameMissing({ adapter: object.name })
  await exchange.read(async (session) => oneDocument(await resolve(session)))
  const value = sentValue(sent(), object)
  const type = readText(value, 'type')
  const host = await stagedHost(exchange, object, value)
  return exchange.write(async (session) => {
    const parent = oneDocument(await resolve(session))
    const created = await createDocument(session, {
      parent,
      type,
      name: nameFrom(name),
      properties: (empty) => {
        requireAdaptable(session, object, empty)
        return readSentProperties({ session, host }, empty, propertiesOf(object, value))
      },
    })
    return json(written(adaptDocument(session, object, created, exchange.request.baseUrl)))
  })
}

/** What follows the name of the adapter: that of the object, and of a new document. @throws businessObjectUnknown */
function objectNamed({ services }: Exchange, tail: readonly string[], longest: number): BusinessObject {
  const name = tail.length > longest ? tail.join('/') : (tail[0] ?? '')
  return readBusinessObject(services, name)
}

function oneDocument(resource: Resource): Document {
  if (resource.kind !== 'document') throw oneDocumentNeeded({})
  return resource.document
}

function sentValue({ 'entity-type': actual, value }: SentObject, { name }: BusinessObject): JsonObject {
  if (actual !== name) throw entityTypeWrong({ expected: name, actual })
  return value
}

/** What reads the sent values, with all files in them stored before the transaction. */
async function stagedHost(exchange: Exchange, object: BusinessObject, value: JsonObject) {
  const earlier = noEarlierBlobs()
  for (const [path, sent] of Object.entries(propertiesOf(object, value))) {
    if (!isJsonObject(sent) && !Array.isArray(sent)) continue
    await stageSentBlobs(exchange, { [parseXpath(exchange.repository.model, path).property.name]: sent }, earlier)
  }
  return createOperationHost(exchange, earlier)
}

/** Its members both in `value`, as existing clients read them, and beside it. */
function written({ type, value }: BusinessValue) {
  return { ...value, 'entity-type': type, value }
}
