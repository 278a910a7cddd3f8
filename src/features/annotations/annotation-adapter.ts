import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import { type AdapterMethodCall, adapterMethod, defineAdapter } from '../../rest/adapter.ts'
import { type Answer, entity } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { createRenderContext } from '../../rest/render/rendering.ts'
import { requireDocument } from '../../rest/resource.ts'
import {
  additionOf,
  changeOf,
  commentHeaders,
  commentPaging,
  commentsSchema,
  type PlacedComment,
  placesOf,
  readComment,
  readExternalComment,
  windowOf,
  writeComments,
} from '../comments/index.ts'
import { annotations, annotationsSchema, type SentAnnotation } from './annotation-entity.ts'
import { listAnnotations, listCommentsBelow } from './annotations.ts'

const idMissing = defineProblem(
  'annotationIdMissing',
  'invalid',
  (_: object) => 'The annotation to change is not named. Send its id, or its entityId, in the body or behind @annotation.',
)

const unreadablePayload = defineProblem('unreadablePayload', 'invalid', (_: object) => 'Unable to read payload')

const tooManyAnnotations = defineProblem(
  'tooManyAnnotations',
  'invalid',
  (of: { max: number }) => `Comments of more than ${of.max} annotations are asked for. Ask for fewer at once.`,
)

const mostAnnotations = 1_000

/** An id of the server, or the one that a client made up when it sent the annotation. */
async function findNamed(session: Session, { resolve }: AdapterMethodCall, sent: SentAnnotation): Promise<PlacedComment> {
  const target = requireDocument(await resolve(session))
  const { id, entityId } = sent
  if (typeof id !== 'string' && typeof entityId !== 'string') throw idMissing({})
  const stored = typeof id === 'string' ? await session.reader.documents.find(id) : undefined
  if (typeof id === 'string' && stored !== undefined) return readComment(session, id, 'Annotation')
  return readExternalComment(session, target, entityId ?? id ?? '', 'Annotation')
}

async function answerComments(
  { exchange, resolve }: Pick<AdapterMethodCall, 'exchange' | 'resolve'>,
  annotationIds: () => readonly string[],
): Promise<Answer> {
  return exchange.read(async (session) => {
    await resolve(session)
    const ids = annotationIds()
    if (ids.length > mostAnnotations) throw tooManyAnnotations({ max: mostAnnotations })
    const placed = await listCommentsBelow(session, ids, windowOf(exchange, {}))
    const written = await writeComments(createRenderContext(session, exchange), placed)
    const entries = written.map((one) => ({ 'entity-type': 'comment', ...one }))
    return entity('comments', { 'entity-type': 'comments', totalSize: entries.length, entries })
  })
}

const idList = Type.Refused(
  Type.Array(
    Type.Refused(Type.String(), () => unreadablePayload({})),
    { examples: [['c41e…']] },
  ),
  () => unreadablePayload({}),
)

/** Comments on places in files (contract: adapters 6). */
export const annotationAdapter = defineAdapter({
  name: 'annotation',
  summary: 'Annotations of the document',
  accepts: ['document'],
  methods: {
    GET: adapterMethod({
      operationId: 'listAnnotations',
      summary: 'Annotations of the document, the newest first',
      query: Type.Object({
        xpath: Type.Optional(Type.String({ description: 'Only those of this file, such as file:content' })),
        ...commentPaging.properties,
      }),
      headers: commentHeaders,
      answers: { 200: annotationsSchema, 400: 'a number that is none' },
      handle: ({ exchange, resolve, sent }) =>
        exchange.read(async (session) => {
          const document = requireDocument(await resolve(session))
          const placed = await listAnnotations(session, document, sent.query.xpath, windowOf(exchange, sent.query))
          const entries = await annotations.write(createRenderContext(session, exchange), placed)
          return entity('annotations', { 'entity-type': 'annotations', entries })
        }),
    }),
    POST: additionOf(annotations, 'Annotate a file of the document'),
    PUT: changeOf(annotations, findNamed, {
      operationId: 'updateNamedAnnotation',
      summary: 'Change the annotation whose id, or entityId, is in the body',
    }),
  },
  below: [
    {
      tail: 'comments',
      methods: {
        GET: adapterMethod({
          operationId: 'listAnnotationComments',
          summary: 'Comments at any depth below annotations',
          query: Type.Object({ annotationIds: Type.Names({ description: 'Ids of annotations' }) }),
          headers: commentHeaders,
          answers: { 200: commentsSchema, 400: 'too many at once' },
          handle: (call) => answerComments(call, () => call.sent.query.annotationIds ?? []),
        }),
        POST: adapterMethod({
          operationId: 'findAnnotationComments',
          summary: 'The same, for more ids than an address holds',
          headers: commentHeaders,
          body: idList,
          answers: { 200: commentsSchema, 400: 'no list of ids, or too many at once' },
          handle: (call) => answerComments(call, () => call.sent.body),
        }),
      },
    },
    ...placesOf(annotations),
  ],
})
