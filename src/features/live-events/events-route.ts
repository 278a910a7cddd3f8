import { memoised } from '../../base/cache/memo.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Repository } from '../../core/session.ts'
import type { AnswerContent } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { outboxSettings } from '../outbox/index.ts'
import { createBroadcast } from './broadcast.ts'
import { createEventFilter, eventFilterSchema } from './event-filter.ts'
import { liveEventSchema } from './live-event.ts'
import { createOpenStreams, ownerOf } from './open-streams.ts'
import type { liveEventSettings } from './settings.ts'

const contentType = 'text/event-stream'

const stream: AnswerContent = {
  description:
    'Server-sent events without an end, each with the entity below as its `data`. An event of the name `reset` says that some may be ' +
    'missing, so that what is shown is to be loaded again; comments come now and then',
  content: { [contentType]: liveEventSchema },
}

const eventsSwitchedOff = defineProblem(
  'eventsSwitchedOff',
  'notImplemented',
  (_: object) => 'This server does not write down what happens: its setting outbox is off.',
)

/** `GET /events`: what happens to documents, as it happens, for those who can read them. */
export function createEventsRoute(values: SettingValues<typeof liveEventSettings>, services: Services): Route {
  const { liveEventStreamsPerUser: maxOfUser, liveEventStreams: maxInAll } = values
  const rules = { maxWaitingBytes: values.liveEventBuffer, keepAliveMilliseconds: values.liveEventKeepAlive }
  const open = createOpenStreams({ maxOfUser, maxInAll })
  const broadcastOf = memoised((repository: Repository) => createBroadcast(repository, rules))

  return defineRoute({
    method: 'GET',
    path: '/events',
    operationId: 'listenToEvents',
    under: 'api',
    summary: 'What happens to documents that the current user can read, as it happens',
    query: Type.Object({
      ...eventFilterSchema.properties,
      lastEventId: Type.Optional(Type.String({ description: 'The same as the header, which counts where both are given' })),
    }),
    headers: Type.Object({
      'Last-Event-ID': Type.Optional(
        Type.String({ description: 'The id of the last event that the client had: it goes on behind it' }),
      ),
    }),
    answers: {
      200: stream,
      400: 'a filter is wrong, or has too many values',
      429: 'the user has too many streams open',
      501: 'the server is told not to write down what happens',
      503: 'the server has too many streams open',
    },
    async handle(exchange, _parameters, { query, headers }) {
      if (!services.valuesOf(outboxSettings).outbox) throw eventsSwitchedOff({})
      const { principal, request, repository } = exchange
      const { lastEventId, ...wanted } = query
      const filter = createEventFilter(wanted)
      const owner = ownerOf(principal, request.clientAddress)
      open.requirePlace(owner)
      const broadcast = broadcastOf(repository)
      const start = await broadcast.findStart(headers['Last-Event-ID'] ?? lastEventId)
      return {
        kind: 'live',
        status: 200,
        contentType,
        // Proxies are not to wait until there is more of it.
        headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
        open(line) {
          const release = open.take(owner)
          if (release === undefined) {
            line.close()
            return () => {}
          }
          const end = broadcast.open(line, { start, filter, principal, renew: () => exchange.renewPrincipal() })
          return () => {
            end()
            release()
          }
        },
      }
    },
  })
}
