import { queryOptions } from '@tanstack/react-query'
import { addressOf, call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys, type EntityPage, type EntityPages, rowsAtOnce } from './entity-pages.ts'

export type LogEntry = components['schemas']['LogEntry']
export type AuditCounts = components['schemas']['AuditCounts']

/** Which rows of the log; days are whole, and of UTC as those that are counted. */
export interface LogFilter {
  readonly event?: string | undefined
  readonly user?: string | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** The server counts no further, and nobody pages further. */
export const mostPaged = 10_000

const startOf = (day: string | undefined) => day && `${day}T00:00:00.000Z`
const endOf = (day: string | undefined) => day && `${day}T23:59:59.999Z`

/** The newest first. */
export function logEntriesLike({ event, user, from, until }: LogFilter): EntityPages<LogEntry> {
  const query = { eventIds: event, principalName: user, startDate: startOf(from), endDate: endOf(until) }
  return {
    key: ['audit', query],
    async fetch(page, signal) {
      const found = await call<EntityPage<LogEntry>>('search/pp/AUDIT_BROWSER/execute', {
        signal,
        query: { ...query, pageSize: rowsAtOnce, currentPageIndex: page },
      })
      return found.resultsCount < 0 ? { ...found, resultsCount: mostPaged } : found
    },
  }
}

const filterIn = ({ event, user, from, until }: LogFilter) => ({
  eventId: event,
  principalName: user,
  startEventDate: startOf(from),
  endEventDate: endOf(until),
})

export function auditCountsQuery(filter: LogFilter) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'audit-counts', filter] as const,
    queryFn: ({ signal }) => call<AuditCounts>('management/audit/counts', { signal, query: filterIn(filter) }),
  })
}

/** Where the rows are as CSV. */
export function logExportAddress(filter: LogFilter): string {
  return addressOf('api/v1/management/audit/export', filterIn(filter))
}
