import { readBlobAt } from '../../core/blobs/blob-place.ts'
import type { Adapter } from '../../rest/adapter.ts'
import { noContent } from '../../rest/answer.ts'
import { requireDocument } from '../../rest/resource.ts'
import { Type } from '../../rest/schema.ts'
import { requireWritable, setBlob } from './change-blob.ts'
import { downloadAnswers, downloadQuery } from './download-description.ts'
import { receiveFile } from './receive-file.ts'

/** Where nothing is named, the main file. */
const addressIn = (tail: readonly string[]) => (tail.length === 0 ? 'blobholder:0' : tail.join('/'))

/** A file of a document: `/@blob/file:content`, `/@blob/files:files/0/file`, `/@blob/blobholder:0`. */
export const blobAdapter: Adapter = {
  name: 'blob',
  summary: 'The file at an xpath of the document; `blobholder:0` is its main file, `blobholder:1` and so on are the others',
  accepts: ['document'],
  tail: '{xpath}',
  query: downloadQuery,
  answers: downloadAnswers,
  async resolve({ session, resource, tail }) {
    const document = requireDocument(resource)
    return { kind: 'blob', ...readBlobAt(session, document, addressIn(tail)), document, reason: 'download' }
  },
  methods: {
    PUT: {
      summary: 'Replace the file by the first one of a form, whose field `versioning` may say `major` or `minor`',
      streamsBody: true,
      checksBodyItself: true,
      body: Type.Object({
        file: Type.String({ format: 'binary' }),
        versioning: Type.Optional(Type.String({ description: '`major` or `minor`: makes a version of it' })),
      }),
      answers: {
        200: '`blob updated`, as text',
        400: 'no file in the form, or no place for one at the xpath',
        403: 'may not be changed',
      },
      async handle({ exchange, tail, resolve }) {
        const address = addressIn(tail)
        // Before anything is stored: who may not write here shall not fill the disk either.
        await exchange.read(async (session) => requireWritable(session, requireDocument(await resolve(session)), address))
        const { blob, options } = await receiveFile(exchange)
        await exchange.write(async (session) => setBlob(session, requireDocument(await resolve(session)), address, blob, options))
        return { kind: 'text', status: 200, contentType: 'text/plain', text: 'blob updated' }
      },
    },
    DELETE: {
      summary: 'Take the file out of the document; an item of a list keeps its place',
      answers: { 204: 'gone, or was not there', 400: 'no place for a file at the xpath', 403: 'may not be changed' },
      async handle({ exchange, tail, resolve }) {
        await exchange.write(async (session) => setBlob(session, requireDocument(await resolve(session)), addressIn(tail), null))
        return noContent()
      },
    },
  },
}
