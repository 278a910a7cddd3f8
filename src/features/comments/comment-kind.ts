import type { Session } from '../../core/session.ts'
import { type AdapterMethodCall, type AdapterPlace, adapterMethod } from '../../rest/adapter.ts'
import { type Answer, entity, noContent } from '../../rest/answer.ts'
import { type ObjectSchema, type Schema, type Static, Type } from '../../rest/openapi/schema.ts'
import { createRenderContext, type RenderContext } from '../../rest/render/rendering.ts'
import { wishesFor } from '../../rest/request/declared-headers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { decodeSegment } from '../../rest/request/url-path.ts'
import { type MethodOf, requireDocument } from '../../rest/resource.ts'
import {
  addComment,
  type CommentDraft,
  type CommentType,
  changeComment,
  type PlacedComment,
  readComment,
  readExternalComment,
  removeComment,
} from './comments.ts'

/** Comments or annotations: what is said of a document, and how it is written down. */
export interface CommentKind<Body extends Schema> {
  readonly type: CommentType
  readonly entityType: 'comment' | 'annotation'
  readonly schema: ObjectSchema
  readonly body: Body
  /** What a client says, to be stored. */
  draftOf(sent: Static<Body>, isNew: boolean): CommentDraft
  write(context: RenderContext, placed: readonly PlacedComment[]): Promise<readonly object[]>
}

export const commentHeaders = Type.Object({
  'fetch.comment': wishesFor('fetch', 'comment', '`repliesSummary` adds how many replies there are, and the date of the last'),
})

/** Finds the one that an address means, for a caller who may read what stands before the adapter. */
type Find = (session: Session, call: AdapterMethodCall) => Promise<PlacedComment>

export async function answerOne<Body extends Schema>(
  kind: CommentKind<Body>,
  exchange: Exchange,
  session: Session,
  placed: PlacedComment,
  status = 200,
): Promise<Answer> {
  const [written] = await kind.write(createRenderContext(session, exchange), [placed])
  return entity(kind.entityType, written, status)
}

export function additionOf<Body extends Schema>(kind: CommentKind<Body>, summary: string): MethodOf<AdapterMethodCall> {
  return adapterMethod({
    summary,
    headers: commentHeaders,
    body: kind.body,
    answers: {
      201: kind.schema,
      400: 'a body that is none, a wrong `entity-type`, a date that is none, a thread that is too deep',
      403: 'what it would be about may not be read',
      409: 'no place for it',
    },
    handle: ({ exchange, resolve, sent }) =>
      exchange.write(async (session) => {
        const target = requireDocument(await resolve(session))
        const placed = await addComment(session, target, kind.type, kind.draftOf(sent.body as Static<Body>, true))
        return answerOne(kind, exchange, session, placed, 201)
      }),
  })
}

const missing = { 403: 'may not be read', 404: 'there is none' }

/** The places of single ones below the adapter: by their ids, and by what other systems call them. */
export function placesOf<Body extends Schema>(kind: CommentKind<Body>): readonly AdapterPlace[] {
  const noun = kind.entityType === 'comment' ? 'Comment' : 'Annotation'
  // Only its id counts: what stands before the adapter need not be what it is about.
  const byId: Find = async (session, { tail, resolve }) => {
    await resolve(session)
    return readComment(session, tail.at(-1) ?? '', kind.type)
  }
  const byEntityId: Find = async (session, call) =>
    readExternalComment(session, requireDocument(await call.resolve(session)), entityIdIn(call), kind.type)
  return [
    {
      tail: 'external/{entityId+}',
      methods: methodsOf(kind, byEntityId, `External${noun}`, 'that another system knows by this id'),
    },
    { tail: `{${kind.entityType}Id}`, methods: methodsOf(kind, byId, noun, 'of this id, whatever document it is about') },
  ]
}

/** Exactly as it was sent: ids of other systems may be addresses, with slashes side by side. */
function entityIdIn({ exchange: { request }, tail }: AdapterMethodCall): string {
  const sent = /\/@[a-z]+\/external\/([^;]+)/.exec(request.rawPath)?.[1]
  return sent === undefined ? tail.slice(1).join('/') : decodeSegment(sent)
}

function methodsOf<Body extends Schema>(
  kind: CommentKind<Body>,
  find: Find,
  name: string,
  which: string,
): AdapterPlace['methods'] {
  return {
    GET: adapterMethod({
      operationId: `get${name}`,
      summary: `The ${kind.entityType} ${which}`,
      headers: commentHeaders,
      answers: { 200: kind.schema, ...missing },
      handle: (call) => call.exchange.read(async (session) => answerOne(kind, call.exchange, session, await find(session, call))),
    }),
    PUT: changeOf(kind, find, { operationId: `update${name}`, summary: `Change the ${kind.entityType} ${which}` }),
    DELETE: adapterMethod({
      operationId: `delete${name}`,
      summary: `Remove the ${kind.entityType} ${which}, and all replies to it`,
      answers: { 204: 'gone', 403: 'by another user, or about what may not be read', 404: 'there is none' },
      handle: async (call) => {
        await call.exchange.write(async (session) => removeComment(session, await find(session, call)))
        return noContent()
      },
    }),
  }
}

/** Only what is in the body changes. */
export function changeOf<Body extends Schema>(
  kind: CommentKind<Body>,
  find: (session: Session, call: AdapterMethodCall, sent: Static<Body>) => Promise<PlacedComment>,
  about: { readonly operationId: string; readonly summary: string },
): MethodOf<AdapterMethodCall> {
  return adapterMethod({
    ...about,
    headers: commentHeaders,
    body: kind.body,
    answers: {
      200: kind.schema,
      400: 'a body that is none, a wrong `entity-type`, a date that is none',
      403: 'by another user, or about what may not be read',
      404: 'there is none',
    },
    handle: (call) =>
      call.exchange.write(async (session) => {
        const sent = call.sent.body as Static<Body>
        const placed = await find(session, call, sent)
        return answerOne(kind, call.exchange, session, await changeComment(session, placed, kind.draftOf(sent, false)))
      }),
  })
}
