import { Readable } from 'node:stream'
import { formatCsvLine, harmlessCell } from '../../base/csv/csv-records.ts'
import { stringifyJson } from '../../base/json.ts'
import { entity } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { countByDayAndEvent, mostDays } from './audit-counts.ts'
import { filterOf } from './audit-filter.ts'
import { requireAuditReader } from './audit-providers.ts'
import { type AuditFilter, findEntries } from './audit-query.ts'
import type { LogEntry } from './log-entry.ts'

const names = (of: string) => Type.Names({ description: `Only rows of these ${of}; repeated, or with commas between them` })
const query = Type.Object({
  eventId: names('events'),
  category: names('categories'),
  principalName: names('users'),
  startEventDate: Type.Optional(
    Type.String({ description: 'First moment, which belongs to it; 30 days before the last one unless told' }),
  ),
  endEventDate: Type.Optional(Type.String({ description: 'Last moment, which belongs to it; now unless told' })),
})

const countsSchema = Type.Object(
  {
    'entity-type': Type.Literal('auditCounts'),
    from: Type.Moment(),
    to: Type.Moment(),
    total: Type.Integer(),
    days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), count: Type.Integer() }), {
      description: 'Days of UTC that have rows, the first one first',
    }),
    events: Type.Array(Type.Object({ eventId: Type.String(), count: Type.Integer() }), {
      description: 'The 100 most frequent, the most frequent first',
    }),
  },
  { $id: 'AuditCounts' },
)

const refusals = { 400: 'a date that is none, or too long a span', 403: 'no administrator' }
const mostExported = 50_000
const usualDays = 30
const dayMillis = 86_400_000

/** What administrators ask about the whole log beside its pages (contract: adapters 4.4). */
export const auditRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/management/audit/counts',
    operationId: 'countAuditEntries',
    under: 'api',
    summary: `How many rows the audit log has, by day and by event, in at most ${mostDays} days`,
    query,
    answers: { 200: countsSchema, ...refusals },
    handle: (exchange, _parameters, sent) =>
      exchange.read(async (session) => {
        requireAuditReader(session)
        const filter = spanOf(filterOf(sent.query))
        const [from, to] = [filter.from, filter.to].map((moment) => new Date(moment).toISOString())
        const counts = await countByDayAndEvent(session, filter)
        const body = { 'entity-type': 'auditCounts', from, to, ...counts } as Static<typeof countsSchema>
        return entity('auditCounts', body)
      }),
  }),
  defineRoute({
    method: 'GET',
    path: '/management/audit/export',
    operationId: 'exportAuditEntries',
    under: 'api',
    summary: `Rows of the audit log as CSV, the newest first, at most ${mostExported} of them`,
    query,
    answers: { 200: bytesAnswer('the rows, after a line with their columns', 'text/csv'), ...refusals },
    async handle(exchange, _parameters, sent) {
      await exchange.read(async (session) => requireAuditReader(session))
      const stream = Readable.from(everyLine(exchange, spanOf(filterOf(sent.query))))
      const headers = { 'Content-Disposition': 'attachment; filename="audit.csv"' }
      return { kind: 'stream', status: 200, contentType: 'text/csv; charset=utf-8', stream, headers }
    },
  }),
]

function spanOf(filter: AuditFilter): AuditFilter & { readonly from: number; readonly to: number } {
  const to = filter.to ?? Date.now()
  return { ...filter, to, from: filter.from ?? to - usualDays * dayMillis }
}

const atOnce = 1_000

const columns = [
  ['id', ({ id }) => String(id)],
  ['eventDate', ({ eventDate }) => eventDate],
  ['eventId', ({ eventId }) => eventId],
  ['category', ({ category }) => category],
  ['principalName', ({ principalName }) => principalName],
  ['docUUID', ({ docUUID }) => docUUID],
  ['docType', ({ docType }) => docType],
  ['docPath', ({ docPath }) => docPath],
  ['docLifeCycle', ({ docLifeCycle }) => docLifeCycle],
  ['repositoryId', ({ repositoryId }) => repositoryId],
  ['comment', ({ comment }) => comment],
  ['extended', ({ extended }) => stringifyJson(extended)],
] as const satisfies readonly (readonly [string, (entry: LogEntry) => string | null])[]

/** Some at a time, each look from the moment of the last row on, without those that were written: what is added meanwhile moves nothing. */
async function* everyLine(exchange: Exchange, filter: AuditFilter & { readonly to: number }): AsyncGenerator<string> {
  yield formatCsvLine(columns.map(([name]) => name))
  let wanted = filter
  let seen: ReadonlySet<number> = new Set()
  for (let written = 0; written < mostExported; ) {
    const found = await exchange.read((session) => findEntries(session, wanted, { offset: 0, limit: atOnce + seen.size }))
    const entries = found.filter(({ id }) => !seen.has(id)).slice(0, mostExported - written)
    const last = entries.at(-1)
    if (last === undefined) return
    yield entries.map((entry) => formatCsvLine(columns.map(([, cellOf]) => harmlessCell(cellOf(entry) ?? '')))).join('')
    written += entries.length
    const ofLast = entries.filter(({ eventDate }) => eventDate === last.eventDate).map(({ id }) => id)
    const moment = Date.parse(last.eventDate)
    seen = new Set(moment === wanted.to ? [...seen, ...ofLast] : ofLast)
    wanted = { ...filter, to: moment }
  }
}
