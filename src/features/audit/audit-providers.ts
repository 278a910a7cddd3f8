import { defineProblem } from '../../base/problem.ts'
import { findStored, readDocument } from '../../core/documents/read-document.ts'
import { isPowerUser } from '../../core/principals/power-users.ts'
import { descending } from '../../core/search/query/sort.ts'
import type { Session } from '../../core/session.ts'
import { findParameter, readParameter } from '../../rest/entity-provider.ts'
import type { EntityProvider, FoundEntities, WantedEntities } from '../../rest/services.ts'
import { storableText } from '../../store/storable-text.ts'
import { namedFilterOf, targetOf } from './audit-filter.ts'
import { type AuditFilter, countEntries, everyEntry, findEntries, type HistorySource } from './audit-query.ts'
import type { CreatedPrincipal } from './created-principal.ts'
import { sourcesOf } from './document-history.ts'
import type { LogEntry } from './log-entry.ts'
import { listHistory } from './readable-history.ts'

export const auditForAdministrators = defineProblem(
  'auditForAdministrators',
  'forbidden',
  (of: { principal: string }) =>
    `The audit log of the whole server is for administrators, which ${of.principal} is not. Ask for the history of a document.`,
)

/** How long pages of the log are, and how they are ordered. */
export const auditPages = {
  kind: 'entities',
  listType: 'logEntries',
  entityType: 'logEntry',
  pageSize: 10,
  maxPageSize: 1_000,
  sort: [descending('eventDate'), descending('id')],
} as const

/** The whole log, or the rows of one document in it. Nobody but administrators may see it, however it is asked for. */
function wholeLog(name: string): EntityProvider {
  return {
    ...auditPages,
    name,
    list: async (wanted) => {
      requireAuditReader(wanted.session)
      const target = targetOf(wanted.request)
      const sources = target === undefined ? undefined : [{ documentId: target }]
      return listEntries(wanted, namedFilterOf(wanted.request), sources)
    },
  }
}

/** What happened to the document of which the id is the parameter, to whoever may read it. */
function documentHistory(name: string): EntityProvider {
  return {
    ...auditPages,
    name,
    async list(wanted) {
      const { session, request } = wanted
      const sent = findParameter(request, 0, 'documentId') ?? targetOf(request) ?? readParameter(request, 0, 'documentId')
      const id = storableText(sent)
      const window = { offset: wanted.offset, limit: wanted.limit, sort: request.sort }
      const { values, total } = await listHistory(session, await readableSources(session, id), namedFilterOf(request), window)
      return { values, total: await total() }
    },
  }
}

/** Of a document that is gone, administrators still see what happened to it. @throws documentNotFound, privilegeMissing */
async function readableSources(session: Session, id: string): Promise<readonly HistorySource[]> {
  if (session.principal.isAdministrator && (await findStored(session, id)) === undefined) return [{ documentId: id }]
  return sourcesOf(session, await readDocument(session, id))
}

/** A page of the rows, and how many there are. */
export async function listEntries(
  { session, request, offset, limit }: WantedEntities,
  filter: AuditFilter,
  sources?: readonly HistorySource[],
): Promise<FoundEntities & { readonly values: readonly LogEntry[] }> {
  const wanted = sources === undefined ? filter : { ...filter, sources }
  const window = { offset, limit, sort: request.sort }
  const values = await findEntries(session, wanted, window)
  return { values, total: await countEntries(session, wanted, window, values.length) }
}

/** @throws auditForAdministrators */
export function requireAuditReader({ principal }: Session): void {
  if (!principal.isAdministrator) throw auditForAdministrators({ principal: principal.name })
}

const created: AuditFilter = { ...everyEntry, eventIds: ['user_created', 'group_created'] }

/** The rows of users and groups that were created. */
const latestCreatedRows: EntityProvider = {
  ...auditPages,
  name: 'LATEST_AUDITED_CREATED_USERS_OR_GROUPS_PROVIDER',
  list: async (wanted) => {
    requireAuditReader(wanted.session)
    return listEntries(wanted, created)
  },
}

/** Those users and groups themselves, as far as they are there; nothing for whoever does not look after people. */
const latestCreated: EntityProvider = {
  ...auditPages,
  name: 'LATEST_CREATED_USERS_OR_GROUPS_PROVIDER',
  listType: 'documents',
  entityType: 'createdPrincipal',
  async list(wanted) {
    if (!isPowerUser(wanted.session.principal)) return { values: [], total: 0 }
    const { values, total } = await listEntries(wanted, created)
    return { values: principalsIn(values), total }
  },
}

function principalsIn(entries: readonly LogEntry[]): readonly CreatedPrincipal[] {
  return entries.flatMap(({ eventId, extended }) => {
    const { id } = extended as { readonly id?: unknown }
    return typeof id === 'string' ? [{ type: eventId === 'user_created' ? 'user' : 'group', id } as const] : []
  })
}

export const auditProviders: readonly EntityProvider[] = [
  wholeLog('EVENTS_VIEW'),
  wholeLog('ADMIN_HISTORY'),
  wholeLog('AUDIT_BROWSER'),
  documentHistory('DOCUMENT_HISTORY_PROVIDER'),
  documentHistory('DOCUMENT_HISTORY_PROVIDER_OLD'),
  latestCreatedRows,
  latestCreated,
]
