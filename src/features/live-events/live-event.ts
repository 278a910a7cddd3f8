import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { OutboxEvent } from '../outbox/index.ts'

const ofDocument = 'null for what happened to no document'

/** What a client is told of something that happened: enough to know what to read again, and nothing that it could not read. */
export const liveEventSchema = Type.Object(
  {
    'entity-type': Type.Literal('event'),
    id: Type.String({
      description: 'Where the client goes on after it was disconnected: `Last-Event-ID`. It tells nothing else',
    }),
    event: Type.String({ description: 'What happened, such as `documentModified`', examples: ['documentModified'] }),
    repository: Type.String(),
    documentId: Type.Nullable(Type.String(), { description: `The document, as it was then; ${ofDocument}` }),
    parentId: Type.Nullable(Type.String(), {
      description: 'The folder that it was in; null for one without a place, such as a version',
    }),
    previousParentId: Type.Nullable(Type.String(), {
      description: 'Of `documentMoved`: the folder that it was in before, for those who may read that',
    }),
    path: Type.Nullable(Type.String()),
    type: Type.Nullable(Type.String()),
    principal: Type.String({ description: 'Who did it' }),
    date: Type.Moment(),
    changeToken: Type.Nullable(Type.String(), { description: 'That of the document after it' }),
  },
  { $id: 'LiveEvent' },
)

type LiveEvent = Static<typeof liveEventSchema>

function writeLiveEvent(event: OutboxEvent, id: string): LiveEvent {
  const { document } = event
  return {
    'entity-type': 'event',
    id,
    event: event.event,
    repository: event.repository,
    documentId: document?.id ?? null,
    parentId: document?.parentId ?? null,
    previousParentId: previousParentOf(event) ?? null,
    path: document?.path ?? null,
    type: document?.type ?? null,
    principal: event.principalName,
    date: event.date,
    changeToken: document?.changeToken ?? null,
  }
}

/** A move says in its comment where the document came from: `repository:id`. */
export function previousParentOf({ event, comment }: Pick<OutboxEvent, 'event' | 'comment'>): string | undefined {
  if (event !== 'documentMoved' || comment === null) return undefined
  return comment.slice(comment.indexOf(':') + 1) || undefined
}

// The lines of the stream (HTML, 9.2.6). JSON has no line breaks of its own, and neither have ids.

/** Without a name: a page hears of it by `onmessage`, whatever happened. */
export function eventLines(event: OutboxEvent, id: string): string {
  return `id: ${id}\ndata: ${JSON.stringify(writeLiveEvent(event, id))}\n\n`
}

/** How soon a client comes back after it was disconnected, and from where it would go on then. */
export function openingLines(id: string, retryMilliseconds: number): string {
  return `retry: ${retryMilliseconds}\n${positionLines(id)}`
}

/** A comment, and where the client would go on: nothing is told by it to the page. */
export function positionLines(id: string): string {
  return `: alive\nid: ${id}\n\n`
}

export const aliveLines = ': alive\n\n'

/** Events may be missing: what the page shows is to be loaded again. */
export function resetLines(id: string): string {
  return `event: reset\nid: ${id}\ndata: {"entity-type":"reset","reload":true}\n\n`
}
