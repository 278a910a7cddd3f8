import { defineProblem } from '../../base/problem.ts'
import { blobsBelow } from '../../core/blobs/document-blobs.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { readDocument } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { parseXpath, unknownProperty, type Xpath } from '../../model/properties/xpath.ts'
import { downloadQuery } from '../../rest/download/download-conditions.ts'
import { bytesAnswer, eitherAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { downloadHeaders } from '../../rest/request/declared-headers.ts'
import { defineRoute } from '../../rest/route.ts'
import { answerBlob, answerBlobs } from './answer-blobs.ts'

export const noFileThere = defineProblem(
  'noFileThere',
  'notFound',
  (of: { id: string; path: string }) => `The document ${of.id} has no file at ${of.path.slice(0, 200) || 'an empty path'}.`,
)

/** Downloads by document and property, as clients of the command endpoint have always asked for them. */
export const filesRoute = defineRoute({
  operationId: 'getFileOfDocument',
  method: 'GET',
  path: '/automation/files/{docId}',
  under: 'api',
  summary: 'Download the file at a property of a document, or all files of a list',
  headers: Type.Object(downloadHeaders),
  query: Type.Object({
    ...downloadQuery.properties,
    path: Type.Optional(Type.String({ description: 'The xpath of the file, or of a list of files' })),
  }),
  answers: {
    200: eitherAnswer('the file, or those of the list as multipart/mixed', [
      bytesAnswer('the file'),
      bytesAnswer('files', 'multipart/mixed'),
    ]),
    404: 'there is no such document, or it has no file there',
  },
  handle: (exchange, { docId = '' }, { query: { path = '' } }) =>
    exchange.read(async (session) => {
      const document = await readDocument(session, docId)
      const xpath = findXpath(session, document, path)
      const blobs = xpath === undefined ? [] : blobsBelow(document, xpath)
      const [first, ...more] = blobs.map(({ xpath, ...content }) => ({ ...content, source: { document, xpath } }))
      if (first === undefined || xpath === undefined) throw noFileThere({ id: document.id, path })
      if (xpath.type.kind === 'list') return answerBlobs(exchange, session, [first, ...more])
      return answerBlob(exchange, session, first)
    }),
})

/** A file, or a list of files or of what holds some. */
function findXpath({ model }: Session, document: Document, text: string): Xpath | undefined {
  try {
    const xpath = parseXpath(model, text)
    const isThere = shapeSeen(model, document).properties.has(xpath.property.name)
    return isThere && (xpath.type.kind === 'blob' || xpath.type.kind === 'list') ? xpath : undefined
  } catch (error) {
    if (unknownProperty.is(error)) return undefined
    throw error
  }
}
