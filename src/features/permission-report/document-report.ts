import { accessTo } from '../../core/access.ts'
import { subGroups, userDirectory } from '../../core/directories/people.ts'
import { readDocument, readDocumentByPath } from '../../core/documents/read-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import { listAllMembers } from '../../core/principals/group-members.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { aceStatus, findDecidingAce } from '../../model/rights/acl.ts'
import { everyone } from '../../model/rights/principal.ts'
import { compareText } from '../../nxql/code-point-order.ts'
import { entity } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { placeSchema, showPlace } from './place.ts'
import { listOriginatedAces, type OriginatedAce, reasonSchema, showReason } from './reasons.ts'
import { findSubject, type ReportedSubject, requireReporter } from './subjects.ts'

const holderSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['user', 'group', 'everyone', 'unknown']),
    label: Type.String(),
    isGranted: Type.Boolean({ description: 'What a check of the permission answers now' }),
    isAdministrator: Type.Boolean({ description: 'May do everything, without any entry' }),
    reason: Type.Nullable(reasonSchema, { description: 'The entry that decides; null where none does, or something else did' }),
  },
  { $id: 'PermissionHolder' },
)

const holdersSchema = Type.Object(
  {
    'entity-type': Type.Literal('permissionHolders'),
    place: placeSchema,
    permission: Type.String(),
    resultsCount: Type.Integer({ description: 'Of those who are looked at, of which this is a page' }),
    entries: Type.Array(holderSchema),
  },
  { $id: 'PermissionHolders' },
)

const mostAtOnce = 200

const query = Type.Object({
  document: Type.String({ description: 'Its id or path', examples: ['/default-domain'] }),
  permission: Type.Optional(Type.String({ maxLength: 200, description: 'Read unless told' })),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostAtOnce, description: 'Those who are looked at; 50 unless told' }),
  ),
  currentPageIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The page, counted from 0' })),
})
type Query = Static<typeof query>

const answers = { 200: holdersSchema, 400: 'not valid', 403: 'no administrator', 404: 'there is no such document' }

/** A part of many, and how many there are. */
interface Part<Item> {
  readonly items: readonly Item[]
  readonly total: number
}

interface Report {
  readonly exchange: Exchange
  readonly session: Session
  readonly document: Document
  readonly aces: readonly OriginatedAce[]
  readonly permission: string
  readonly offset: number
  readonly limit: number
}

export const documentReportRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/management/permissions/named',
    operationId: 'listNamedPermissionHolders',
    under: 'api',
    summary: 'Whom the entries that decide about a document name, whether each has a permission, and through which entry',
    query,
    answers,
    handle: (exchange, _parameters, sent) => report(exchange, () => sent.query, listNamed),
  }),
  defineRoute({
    method: 'GET',
    path: '/management/permissions/people',
    operationId: 'listPermittedPeople',
    under: 'api',
    summary: 'People who have a permission on a document, by themselves or by their groups, and through which entry',
    query,
    answers,
    handle: (exchange, _parameters, sent) => report(exchange, () => sent.query, listPeople),
  }),
]

/** @param sent is asked after the caller was looked at */
async function report(exchange: Exchange, sent: () => Query, list: (of: Report) => Promise<Part<Static<typeof holderSchema>>>) {
  requireReporter(exchange)
  const { document: reference, permission = 'Read', pageSize = 50, currentPageIndex = 0 } = sent()
  return exchange.read(async (session) => {
    const document = reference.startsWith('/')
      ? await readDocumentByPath(session, reference)
      : await readDocument(session, reference)
    const aces = await listOriginatedAces(session, document)
    const of = { exchange, session, document, aces, permission, offset: currentPageIndex * pageSize, limit: pageSize }
    const { items, total } = await list(of)
    const body: Static<typeof holdersSchema> = {
      'entity-type': 'permissionHolders',
      place: showPlace(document),
      permission,
      resultsCount: total,
      entries: items,
    }
    return entity('permissionHolders', body)
  })
}

/** In the order of the entries that are in force. */
async function listNamed(of: Report): Promise<Part<Static<typeof holderSchema>>> {
  const { exchange, session, aces, offset, limit } = of
  const inForce = aces.filter(({ ace }) => aceStatus(ace, session.now) === 'effective')
  const names = [...new Set(inForce.map(({ ace }) => ace.username))]
  const subjects = await Promise.all(names.slice(offset, offset + limit).map((name) => findSubject(exchange, name)))
  return { items: await Promise.all(subjects.map((subject) => showHolder(of, subject))), total: names.length }
}

/** Those of a page who have it: whoever may be concerned is looked at, so that a page may show fewer than it has. */
async function listPeople(of: Report): Promise<Part<Static<typeof holderSchema>>> {
  const { items: names, total } = await listCandidates(of)
  const subjects = await Promise.all(names.map((name) => findSubject(of.exchange, name)))
  const holders = await Promise.all(subjects.map((subject) => showHolder(of, subject)))
  return { items: holders.filter(({ kind, isGranted }) => kind === 'user' && isGranted), total }
}

/**
 * Users whom a grant may concern: those who are named, members of groups that are, and administrators. Where everyone is named, or a group
 * that somebody is in without being listed there, all users are, with those in no directory last.
 */
async function listCandidates({ exchange, aces, offset, limit }: Report): Promise<Part<string>> {
  const { directories: all, principalRules: rules } = exchange.services
  const { directories } = all.store.reader
  const granted = [...new Set(aces.filter(({ ace }) => ace.granted).map(({ ace }) => ace.username))]
  const unlisted = rules.defaultGroup === undefined ? [] : [rules.defaultGroup]
  const above = await directories.listAllSources(subGroups, subGroups, unlisted)
  const unstored = await listUnstored(exchange.services, granted)
  const concernsAll = rules.groupComputers.length > 0 || [everyone, ...unlisted, ...above].some((name) => granted.includes(name))
  if (concernsAll) {
    const { entries, total } = await directories.search({ directory: userDirectory, order: [], offset, limit })
    const last = unstored.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total))
    return { items: [...entries.map(({ id }) => id), ...last], total: total + unstored.length }
  }
  const members = await listAllMembers(directories, [...granted, ...rules.administratorsGroups])
  const names = [...new Set([...granted, ...members, ...rules.defaultAdministrators, ...unstored])].sort(compareText)
  return { items: names.slice(offset, offset + limit), total: names.length }
}

/** Users in no directory whom a grant concerns: guests, those whom the configuration declares, and the anonymous user. */
async function listUnstored(
  { principals, principalRules, directories }: Exchange['services'],
  granted: readonly string[],
): Promise<readonly string[]> {
  const { virtualUsers, defaultAdministrators, anonymousUser } = principalRules
  const configured = [
    ...virtualUsers.map(({ name }) => name),
    ...defaultAdministrators,
    ...(anonymousUser ? [anonymousUser.name] : []),
  ]
  const names = [...new Set([...granted, ...configured])].sort(compareText)
  const stored = new Set((await directories.store.reader.directories.findAll(userDirectory, names)).map(({ id }) => id))
  const users = await Promise.all(names.filter((name) => !stored.has(name)).map((name) => principals.find(name)))
  return users.flatMap((user) =>
    user !== undefined && (user.isAdministrator || granted.some((name) => user.names.has(name))) ? user.name : [],
  )
}

/** What a check of the permission says of somebody, and the entry that made it say so. */
async function showHolder(
  { exchange, session, document, aces, permission }: Report,
  { name, kind, label, principal }: ReportedSubject,
): Promise<Static<typeof holderSchema>> {
  const isGranted = await accessTo(exchange.repository, principal).read((own) => hasPermission(own, document, permission))
  const { permissions } = session.model
  const all = aces.map(({ ace }) => ace)
  const { isAdministrator } = principal
  const deciding = isAdministrator ? undefined : findDecidingAce(all, principal, permission, permissions, session.now)
  // A policy, such as that of a lock, comes before all entries.
  const reason = deciding?.granted === isGranted ? aces[all.indexOf(deciding)] : undefined
  return {
    name,
    kind,
    label,
    isGranted,
    isAdministrator,
    reason: reason === undefined ? null : showReason(session, reason),
  }
}
