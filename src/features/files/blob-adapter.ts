import { defineProblem } from '../../base/problem.ts'
import { findBlobPlace, readBlobAt } from '../../core/blobs/blob-place.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import { findTarget } from '../../core/documents/proxies/proxy.ts'
import { requireRightAt } from '../../core/documents/read-for-update.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { ClientSaveOptions } from '../../core/save-options.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { type BlobValue, isBlobValue, type Properties } from '../../model/properties/property.ts'
import { unknownProperty, valueAt, withValueAt, type Xpath } from '../../model/properties/xpath.ts'
import { parseVersioningOption } from '../../model/versioning.ts'
import type { Adapter } from '../../rest/adapter.ts'
import { noContent } from '../../rest/answer.ts'
import { preconditionFailed, validatorsOf } from '../../rest/download/download.ts'
import { downloadQuery, mayReplace } from '../../rest/download/download-conditions.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { readFields } from '../../rest/payload/declared-input.ts'
import { downloadHeaders } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { isForm, readForm } from '../../rest/request/sent-form.ts'
import { requireDocument } from '../../rest/resource.ts'
import { requireSettable, textServedAsFile } from './blob-target.ts'

const noFileSent = defineProblem(
  'noFileSent',
  'invalid',
  (_: object) => 'No file was sent. Send it as a part of a multipart/form-data body, with a file name.',
)

interface ReceivedFile {
  readonly blob: BlobValue
  readonly options: ClientSaveOptions
}

const versioningField = Type.Object({
  versioning: Type.Text({ description: '`major` or `minor` makes a version of it, `none` none' }),
})

/** Stores the file of a form as it comes in, before any transaction. @throws noFileSent, malformedForm, bodyTooLarge */
async function receiveFile({ request, repository, services }: Exchange): Promise<ReceivedFile> {
  if (!isForm(request)) throw noFileSent({})
  const { signal } = request
  const { maxBytes } = services.uploads.rules
  const { file, fields } = await readForm(request, { maxBytes }, async ({ name, contentType, content }) => {
    const stored = await repository.blobs.write(content, { signal })
    return { ...stored, name, 'mime-type': contentType ?? 'application/octet-stream', encoding: null }
  })
  if (file === undefined) throw noFileSent({})
  const { versioning } = readFields(versioningField, fields)
  return {
    blob: await inspectBlob(repository, file),
    options: versioning === undefined ? {} : { versioning: parseVersioningOption(versioning) },
  }
}

const changedMeanwhile = 'the file is not the one that If-Match, If-None-Match or If-Unmodified-Since ask for'

const conditionHeaders = Type.Object({
  'If-Match': downloadHeaders['If-Match'],
  'If-None-Match': downloadHeaders['If-None-Match'],
  'If-Unmodified-Since': downloadHeaders['If-Unmodified-Since'],
})

/** Where nothing is named, the main file. */
const addressIn = (tail: readonly string[]) => (tail.length === 0 ? 'blobholder:0' : tail.join('/'))

/** A file of a document: `/@blob/file:content`, `/@blob/files:files/0/file`, `/@blob/blobholder:0`. */
export const blobAdapter: Adapter = {
  name: 'blob',
  summary: 'The file at an xpath of the document; `blobholder:0` is its main file, `blobholder:1` and so on are the others',
  accepts: ['document'],
  tail: '{xpath}',
  query: downloadQuery,
  yields: 'blob',
  async resolve({ session, resource, tail }) {
    const document = requireDocument(resource)
    return { kind: 'blob', ...readBlobAt(session, document, addressIn(tail)), document, reason: 'download' }
  },
  methods: {
    PUT: {
      summary: 'Replace the file by the first one of a form, whose field `versioning` may say `major` or `minor`',
      streamsBody: true,
      form: {
        mediaType: 'multipart/form-data',
        fields: Type.Object({ file: Type.String({ format: 'binary' }), ...versioningField.properties }),
      },
      answers: {
        200: bytesAnswer('`blob updated`', 'text/plain'),
        400: 'no file in the form, or no place for one at the xpath',
        403: 'may not be changed',
        412: changedMeanwhile,
      },
      headers: conditionHeaders,
      async handle({ exchange, tail, resolve }) {
        const { request } = exchange
        const address = addressIn(tail)
        // Before anything is stored: who may not write here shall not fill the disk either.
        await exchange.read(async (session) => {
          const document = requireDocument(await resolve(session))
          requireConditions(request, document, await requireWritable(session, document, address))
        })
        const { blob, options } = await receiveFile(exchange)
        await exchange.write(async (session) => {
          const place = { document: requireDocument(await resolve(session)), address, request }
          await setBlob(session, place, blob, options)
        })
        return { kind: 'text', status: 200, contentType: 'text/plain', text: 'blob updated' }
      },
    },
    DELETE: {
      summary: 'Take the file out of the document; an item of a list keeps its place',
      answers: {
        204: 'gone, or was not there',
        400: 'no place for a file at the xpath',
        403: 'may not be changed',
        412: changedMeanwhile,
      },
      headers: conditionHeaders,
      async handle({ exchange, tail, resolve }) {
        const { request } = exchange
        await exchange.write(async (session) =>
          setBlob(session, { document: requireDocument(await resolve(session)), address: addressIn(tail), request }, null),
        )
        return noContent()
      },
    },
  },
}

/** @throws privilegeMissing, unknownProperty, textServedAsFile, readOnlyProperty */
async function requireWritable(session: Session, document: Document, address: string): Promise<Xpath> {
  await requireRightAt(session, document, (await findTarget(session, document)) ?? document, 'WriteProperties')
  const place = findBlobPlace(session, document, address)
  if (place.kind === 'text') throw textServedAsFile({ xpath: place.found.xpath })
  if (place.kind === 'nowhere') throw unknownProperty({ xpath: address })
  requireSettable(session, place.xpath.property)
  return place.xpath
}

/** @throws preconditionFailed when the file that is there is not what the request says that it changes */
function requireConditions(request: Pick<ApiRequest, 'headers'>, document: Document, xpath: Xpath): void {
  const blob = valueAt(document.properties, xpath)
  const validators = isBlobValue(blob) ? validatorsOf({ blob, document }) : undefined
  if (!mayReplace(request, validators)) throw preconditionFailed({})
}

interface PlaceToChange {
  readonly document: Document
  readonly address: string
  readonly request: Pick<ApiRequest, 'headers'>
}

/** Saves the document with another blob at the address, or with none. @throws preconditionFailed */
async function setBlob(
  session: WriteSession,
  { document, address, request }: PlaceToChange,
  blob: BlobValue | null,
  options: ClientSaveOptions = {},
): Promise<void> {
  const xpath = await requireWritable(session, document, address)
  // Taking away what is not there would make a list grow up to where it would have been.
  if (blob === null && valueAt(document.properties, xpath) === null) return requireConditions(request, document, xpath)
  const changes = (current: Document): Properties => {
    const { properties } = current
    // Of the document as it is locked: of two that change the same file at once, the second finds another one.
    requireConditions(request, current, xpath)
    const { name } = xpath.property
    return { [name]: withValueAt(properties, xpath, blob)[name] ?? null }
  }
  await saveDocument(session, document.id, changes, options)
}
