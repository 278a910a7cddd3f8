import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { requireStored } from '../../automation/unsaved-changes.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { requirePermission } from '../../core/permissions.ts'
import { withCurrentNames } from '../../core/search/providers/provider-parameters.ts'
import type { WriteSession } from '../../core/session.ts'
import { maxRemark, requireShort } from '../../core/short-text.ts'
import type { Document } from '../../model/document.ts'
import { noLifecycle } from '../../model/lifecycle.ts'
import { actingName } from '../../model/rights/principal.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import { writeOlderPlace, writePlace } from '../../rest/render/page-fields.ts'
import { sortsOf } from '../../rest/request/paging.ts'
import type { EntityProvider, Services } from '../../rest/services.ts'
import { storableText } from '../../store/storable-text.ts'
import { writeEntry } from './audit-listener.ts'
import { auditPages, listEntries } from './audit-providers.ts'
import { findEntries } from './audit-query.ts'
import { readAuditQuery } from './audit-query-text.ts'
import type { LogEntry } from './log-entry.ts'

export const noAuditProvider = defineProblem(
  'noAuditProvider',
  'notFound',
  (of: { name: string }) => `There is no page provider of the audit log named ${of.name}.`,
)
export const noAuditStorage = defineProblem(
  'noAuditStorage',
  'notImplemented',
  (_: object) => 'The audit log has one storage, the database of the repository, so there is none to copy rows back from.',
)

const maxName = 200

/** Adds a row that tells of a document whatever the caller says of it, in the caller's name. */
export const logEvent = defineOperation({
  id: 'Audit.LogEvent',
  aliases: ['Audit.Log'],
  category: 'Services',
  description: 'Writes a row into the audit log for each document.',
  effect: 'writes',
  params: {
    event: required('string', { widget: 'AuditEvent', description: 'The event, such as reviewed' }),
    category: defaulted('string', 'Automation'),
    comment: optional('string', { widget: 'TextArea' }),
  },
  run: ({ each }) => [
    each('document', 'document', async (document, { session, context, params: { event, category, comment = '' } }) => {
      requireStored(context, document)
      await requirePermission(session, document, 'Read')
      await logOn(session, document, {
        eventId: bounded('The event', event, maxName),
        category: bounded('The category', category, maxName),
        comment: bounded('The comment', comment, maxRemark),
      })
      return document
    }),
  ],
})

function logOn(session: WriteSession, document: Document, row: Pick<LogEntry, 'category' | 'comment'> & { eventId: string }) {
  const { id, type, path, state } = document
  return writeEntry(session, {
    ...row,
    time: session.now,
    principalName: actingName(session.principal),
    document: { id, type, path, lifeCycle: state === noLifecycle ? null : state },
    extended: null,
  })
}

/** @throws textTooLong, unstorableText */
function bounded(what: string, text: string, max: number): string {
  return storableText(requireShort(what, text, max), what)
}

/** A page of what a page provider of the log lists, or of what a simple query asks for. */
export function queryWithPageProvider(providers: readonly EntityProvider[], services: Services) {
  return defineOperation({
    id: 'Audit.QueryWithPageProvider',
    aliases: ['Audit.PageProvider'],
    category: 'Fetch',
    description: 'Gives a page of the audit log, by a page provider or by a simple query.',
    effect: 'reads',
    access: { administrators: true },
    params: {
      providerName: optional('string', { description: 'AUDIT_BROWSER unless told' }),
      query: optional('string', { description: 'Instead of a provider: conditions on fields, joined by AND' }),
      language: defaulted('string', 'NXQL', { description: 'Not used' }),
      page: optional('integer', { description: 'Older name of currentPageIndex' }),
      currentPageIndex: optional('integer', { description: 'The page, counted from 0' }),
      pageSize: optional('integer', { description: 'Entries a page; as many as are allowed when 0' }),
      sortInfo: optional('stringlist', { description: 'Older form of sortBy: each a column and true where it ascends' }),
      queryParams: optional('stringlist', { description: '$currentUser and $currentRepository are replaced' }),
      namedQueryParams: optional('properties', {
        aliases: ['namedParameters'],
        description: 'eventIds, eventCategory, principalName, startDate, endDate and other fields of basicauditsearch',
      }),
      maxResults: defaulted('integer', 100, { description: 'Of a query: counting stops here' }),
      sortBy: optional('stringlist', { description: 'Columns, with commas between them' }),
      sortOrder: optional('stringlist', { values: ['ASC', 'DESC'], description: 'For each column; descending unless ASC' }),
    },
    run: ({ on }) => [
      on('void', 'object', async (_, { session, params }) => {
        const { providerName, query, pageSize, queryParams: parameters = [], namedQueryParams = {} } = params
        const pageIndex = params.currentPageIndex ?? params.page
        const sort = sortOf(params)
        const request = withCurrentNames(session, {
          ...(pageSize !== undefined && { pageSize }),
          ...(pageIndex !== undefined && { pageIndex }),
          ...(sort.length > 0 && { sort }),
          parameters,
          named: { ...(namedQueryParams as NonNullable<Parameters<typeof withCurrentNames>[1]['named']>) },
        })
        const asked = query?.trim() ?? ''
        const provider = asked === '' ? findProvider(providers, providerName) : queryProvider(asked, request.named ?? {})
        const isLimited = asked !== '' && params.maxResults > 0
        const list = await runEntityProvider(provider, {
          session,
          services,
          request: { ...request, ...(isLimited && { maxResults: params.maxResults }) },
        })
        return {
          kind: 'entity',
          entityType: 'logEntries',
          json: { ...writePlace(list.page), ...writeOlderPlace(list.page), entries: list.values as LogEntry[] },
        } as const
      }),
    ],
  })
}

/** What a query asks for, as a provider. @throws auditQueryWrong */
function queryProvider(query: string, values: { readonly [name: string]: unknown }): EntityProvider {
  const { filter, sort } = readAuditQuery(query, values)
  return {
    ...auditPages,
    name: 'query',
    list: (wanted) => listEntries({ ...wanted, request: { ...wanted.request, sort: wanted.request.sort ?? sort } }, filter),
  }
}

/** @throws noAuditProvider */
function findProvider(providers: readonly EntityProvider[], given: string | undefined): EntityProvider {
  const name = given?.trim() || 'AUDIT_BROWSER'
  const provider = providers.find((one) => one.name === name && one.listType === 'logEntries')
  if (provider === undefined) throw noAuditProvider({ name })
  return provider
}

interface SentOrder {
  readonly sortBy: readonly string[] | undefined
  readonly sortOrder: readonly string[] | undefined
  readonly sortInfo: readonly string[] | undefined
}

function sortOf({ sortBy = [], sortOrder = [], sortInfo = [] }: SentOrder) {
  const named = sortBy.filter((column) => column.trim() !== '').map((column) => column.trim())
  if (named.length > 0)
    return sortsOf(
      named,
      sortOrder.map((order) => order.trim()),
    )
  const older = sortInfo.map((text) => text.trim().split(/\s+/)).filter(([column]) => column)
  return older.map(([column = '', ascends = '']) => ({ column, isAscending: ascends.toLowerCase() === 'true' }))
}

const maxQueried = 1_000

/** Rows that a simple query finds, in the shape that scripts of old know. */
export const auditQuery = defineOperation({
  id: 'Audit.Query',
  category: 'Services',
  description: 'Gives the rows of the audit log that a simple query finds, as a file of JSON.',
  effect: 'reads',
  access: { administrators: true },
  params: {
    query: required('string', {
      widget: 'TextArea',
      description: "Such as: log.eventId = 'documentCreated' AND log.docType = 'File'",
    }),
    pageNo: defaulted('int', 1, { description: 'The page, counted from 1' }),
    maxResults: optional('int', { description: `Rows a page; ${maxQueried} at most` }),
  },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params, context }) => {
      const values = Object.fromEntries(
        [...context.variables].flatMap(([name, value]) =>
          name.startsWith('audit.query.') && value.kind === 'string' ? [[name.slice('audit.query.'.length), value.text]] : [],
        ),
      )
      const { filter, sort } = readAuditQuery(params.query, values)
      const asked = params.maxResults ?? maxQueried
      const limit = asked <= 0 ? maxQueried : Math.min(asked, maxQueried)
      const offset = Math.min(Math.max(0, params.pageNo - 1) * limit, Number.MAX_SAFE_INTEGER - limit)
      return jsonBlob((await findEntries(session, filter, { offset, limit, sort })).map(olderEntry))
    }),
  ],
})

function olderEntry(entry: LogEntry): object {
  const { eventId, category, eventDate, principalName, docUUID, docType, docPath, docLifeCycle, repositoryId, comment } = entry
  return {
    eventId,
    category,
    eventDate: Date.parse(eventDate),
    principal: principalName,
    docUUID,
    docType,
    docPath,
    docLifeCycle,
    repoId: repositoryId,
    comment,
  }
}

export const restoreAudit = defineOperation({
  id: 'Audit.Restore',
  category: 'Services',
  description: 'Is refused: there is one storage of the audit log, and none to copy rows back from.',
  effect: 'reads',
  access: { administrators: true },
  params: { auditStorage: required('string'), batchSize: defaulted('int', 100), keepAlive: defaulted('int', 10) },
  run: ({ on }) => [
    on('void', 'void', () => {
      throw noAuditStorage({})
    }),
  ],
})
