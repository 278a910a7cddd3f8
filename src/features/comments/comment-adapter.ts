import { adapterMethod, defineAdapter } from '../../rest/adapter.ts'
import { entity } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { createRenderContext } from '../../rest/render/rendering.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { numberParameter } from '../../rest/request/paging.ts'
import { requireDocument } from '../../rest/resource.ts'
import { commentBody, commentSchema, commentsSchema, draftOf, writeComments } from './comment-entity.ts'
import { additionOf, type CommentKind, commentHeaders, placesOf } from './comment-kind.ts'
import { type CommentWindow, listComments, readTopLevelOf } from './comments.ts'

const comments: CommentKind<typeof commentBody> = {
  type: 'Comment',
  entityType: 'comment',
  schema: commentSchema,
  body: commentBody,
  draftOf: (sent) => draftOf(sent),
  write: async (context, placed) => (await writeComments(context, placed)).map((one) => ({ 'entity-type': 'comment', ...one })),
}

export const commentPaging = Type.Object({
  pageSize: numberParameter('Entries a page. 0, or none: all'),
  currentPageIndex: numberParameter('Page, counted from 0'),
})

interface SentPage {
  readonly pageSize?: number
  readonly currentPageIndex?: number
}

/** All at once are as many as an answer may have; the next one would be refused when it is written. */
export function windowOf(
  { services }: Pick<Exchange, 'services'>,
  { pageSize = 0, currentPageIndex = 0 }: SentPage,
): CommentWindow {
  const most = services.facts.answerLimits.maxEntities + 1
  if (pageSize <= 0) return { offset: 0, limit: currentPageIndex > 0 ? 0 : most }
  const offset = Math.min(Math.max(0, currentPageIndex) * pageSize, Number.MAX_SAFE_INTEGER)
  return { offset, limit: Math.min(pageSize, most) }
}

/** What users say about a document, and about what others said (contract: adapters 5). */
export const commentAdapter = defineAdapter({
  name: 'comment',
  summary: 'Comments on the document, or replies to the comment',
  accepts: ['document'],
  methods: {
    GET: adapterMethod({
      operationId: 'listComments',
      summary: 'Direct comments on the document, or replies to the comment, the newest first',
      query: commentPaging,
      headers: commentHeaders,
      answers: { 200: commentsSchema, 400: 'a number that is none', 403: 'what they are about may not be read' },
      handle: ({ exchange, resolve, sent }) =>
        exchange.read(async (session) => {
          const target = requireDocument(await resolve(session))
          const topLevel = await readTopLevelOf(session, target)
          const { comments: page, total: totalSize } = await listComments(session, target, windowOf(exchange, sent.query))
          const placed = page.map((comment) => ({ comment, topLevel }))
          const entries = await comments.write(createRenderContext(session, exchange), placed)
          return entity('comments', { 'entity-type': 'comments', totalSize, entries })
        }),
    }),
    POST: additionOf(comments, 'Comment on the document, or reply to the comment'),
  },
  below: placesOf(comments),
})
