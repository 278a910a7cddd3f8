import type { Random } from '../faults/kill/random.ts'
import { subjects, textOf, words } from './world.ts'

/** A request that means the same in every world: documents are named by their number. */
export interface WorldRequest {
  /** What kind it is, for whoever reads of a difference. */
  readonly kind: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{3}` is the id of document 3, `{path 3}` its path. */
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: object
}

/** The next of the requests of a seed. */
export function anyRequest(random: Random, documents: number, facts: ServerFacts): WorldRequest {
  const makers = [
    readDocument,
    readList,
    query,
    query,
    query,
    rows,
    rows,
    provider,
    provider,
    operation,
    operation,
    write,
    refusal,
    said,
  ]
  return (random.pick(makers) ?? query)({ random, documents, facts })
}

/** What a server offers, of which requests choose. */
export interface ServerFacts {
  readonly providers: readonly string[]
  /** Operations that only read, with the names of their parameters. */
  readonly operations: readonly { readonly id: string; readonly params: readonly string[] }[]
}

export interface Making {
  readonly random: Random
  readonly documents: number
  readonly facts: ServerFacts
}

const someDocument = ({ random, documents }: Making) => random.between(0, documents)
const some = <One>(random: Random, ...all: readonly One[]) => random.pick(all) as One
const asParameters = (parameters: object) =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()

// Without the history: rows of a document that the user may read tell what was done to it, be it that it was published in a place the
// user may not see; and they are numbered through.
const enrichers =
  'acls,breadcrumb,children,permissions,preview,thumbnail,tags,favorites,collections,hasFolderishChild,firstAccessibleAncestor,publications,subtypes,userVisiblePermissions,hasContent,pendingTasks,runningWorkflows,contextualParameters,highlight,documentURL,isLockedByCurrentUser,subscribedNotifications'

function readDocument(making: Making): WorldRequest {
  const { random } = making
  const number = someDocument(making)
  const headers = some<{ readonly [name: string]: string }>(
    random,
    {},
    { properties: '*' },
    { properties: '*', 'enrichers-document': enrichers, 'fetch-document': 'versionLabel,lock,properties' },
    { 'X-NXDepth': 'children', 'enrichers-document': 'children,breadcrumb' },
  )
  return { kind: 'GET document', method: 'GET', path: some(random, `/id/{${number}}`, `/path{path ${number}}`), headers }
}

function readList(making: Making): WorldRequest {
  const { random } = making
  const number = someDocument(making)
  const adapter = some(
    random,
    '@children',
    '@acl',
    '@search',
    '@pp/CURRENT_DOC_CHILDREN',
    '@pp',
    '@blob',
    '@rendition/thumbnail',
    '@annotation',
    '@comment',
    '@workflow',
    '@task',
    '@proxies',
    '@emptyWithDefault',
  )
  const parameters = asParameters({
    pageSize: random.between(1, 10),
    currentPageIndex: random.between(0, 3),
    ...(adapter === '@search' && { fullText: textOf(random, 1) }),
    ...(random.next() < 0.5 && { sortBy: someColumn(random), sortOrder: some(random, 'asc', 'desc') }),
  })
  return {
    kind: `GET ${adapter}`,
    method: 'GET',
    path: `/id/{${number}}/${adapter}?${parameters}`,
    headers: random.next() < 0.3 ? { properties: '*', 'enrichers-document': enrichers } : {},
  }
}

function someColumn(random: Random): string {
  return some(
    random,
    'dc:title',
    'ecm:pos',
    'ecm:name',
    'ecm:path',
    'dc:created',
    'dc:modified',
    'dc:source',
    'ecm:primaryType',
    'ecm:currentLifeCycleState',
    'ecm:versionLabel',
    'dc:issued',
    'ecm:changeToken',
  )
}

function someCondition(making: Making): string {
  const { random } = making
  const word = random.pick(words) as string
  return some(
    random,
    `ecm:fulltext = '${textOf(random, random.between(1, 4))}'`,
    `ecm:fulltext = '${word} OR ${random.pick(words)}'`,
    `ecm:fulltext = '"${textOf(random, 2)}"'`,
    `ecm:fulltext = '${word.slice(0, random.between(1, 5))}*'`,
    `ecm:fulltext_title = '${word}'`,
    `ecm:fulltext.dc:source = '${word}'`,
    `/*+ES: INDEX(dc:title,dc:description) OPERATOR(fuzzy) */ dc:title = '${word.slice(1)}'`,
    `/*+ES: INDEX(dc:description) OPERATOR(more_like_this) */ dc:title = '${textOf(random, 3)}'`,
    `dc:title LIKE '%${word.slice(0, 3)}%'`,
    `dc:title ILIKE '${word.slice(0, 2).toUpperCase()}%'`,
    `dc:source IN ('${word}', '${random.pick(words)}')`,
    `dc:subjects/* = '${random.pick(subjects)}'`,
    `dc:nature <> 'report'`,
    `ecm:path STARTSWITH '/default-domain/workspaces'`,
    `ecm:ancestorId = '{${someDocument(making)}}'`,
    `ecm:parentId = '{${someDocument(making)}}'`,
    `ecm:pos > ${random.between(0, 5)}`,
    'ecm:isVersion = 1',
    'ecm:isProxy = 1',
    'ecm:isVersion = 0',
    `ecm:acl/*1/principal = '${some(random, 'ann', 'bob', 'Administrator')}'`,
    `ecm:mixinType = 'Folderish'`,
    `ecm:isLatestVersion = 1`,
    `dc:expired > DATE '2020-01-01'`,
    `NOT (dc:source = '${word}')`,
    'dc:issued IS NULL',
    `comment:ancestorIds = '{${someDocument(making)}}'`,
    `comment:text LIKE '%${word}%'`,
    `externalEntity:entityId = '${word}'`,
    `ecm:tag = '${some(random, 'hush', word)}'`,
    `ecm:tag/* LIKE '${word.slice(0, 2)}%'`,
    `ecm:tag IS NULL`,
    `collectionMember:collectionIds/* = '{${someDocument(making)}}'`,
    'collection:documentIds/* IS NOT NULL',
    `ecm:mixinType = 'Notifiable'`,
    `notif:notifications/*/name = '${some(random, 'Modification', 'Creation', 'CommentAdded')}'`,
    `notif:notifications/*/subscribers/* = '${some(random, 'user:bob', 'user:ann', 'user:Administrator', 'group:members')}'`,
  )
}

function someQuery(making: Making, select: string): string {
  const { random } = making
  const conditions = Array.from({ length: random.between(1, 4) }, () => someCondition(making))
  const order = random.next() < 0.4 ? ` ORDER BY ${someColumn(random)}${some(random, '', ' DESC')}` : ''
  return `SELECT ${select} FROM ${some(random, 'Document', 'Document', 'Note', 'Folder', 'Comment', 'Annotation')} WHERE ${conditions.join(some(random, ' AND ', ' OR '))}${order}`
}

function query(making: Making): WorldRequest {
  const { random } = making
  const parameters = asParameters({
    query: someQuery(making, '*'),
    pageSize: some(random, 0, 3, 10, 50),
    currentPageIndex: random.between(0, 3),
    ...(random.next() < 0.3 && { maxResults: random.between(1, 30) }),
  })
  return {
    kind: 'query',
    method: 'GET',
    path: `/search/execute?${parameters}`,
    headers: random.next() < 0.2 ? { properties: '*' } : {},
  }
}

function rows(making: Making): WorldRequest {
  const { random } = making
  const select = some(
    random,
    'ecm:uuid, ecm:fulltextScore',
    'ecm:uuid, dc:title, ecm:pos',
    'COUNT(ecm:uuid)',
    'COUNT(dc:title), MIN(dc:title), MAX(dc:source)',
    'DISTINCT dc:source',
    'DISTINCT ecm:tag',
    'ecm:uuid, ecm:tag/*1',
    'collection:documentIds/*',
    'COUNT(ecm:tag)',
    'ecm:uuid, dc:subjects/*1',
    'ecm:acl/*1/principal, ecm:acl/*1/permission',
    'ecm:uuid, ecm:changeToken, ecm:versionLabel',
  )
  const call = { query: someQuery(making, select), pageSize: some(random, 5, 50), currentPageIndex: random.between(0, 2) }
  return { kind: 'rows', method: 'POST', path: '/automation/Repository.ResultSetQuery', body: { params: call, context: {} } }
}

function provider(making: Making): WorldRequest {
  const { random, facts } = making
  const name = random.pick(facts.providers) as string
  const parameters = asParameters({
    queryParams: some(random, `{${someDocument(making)}}`, `${random.pick(words)}`, `{path ${someDocument(making)}}`, '%'),
    pageSize: random.between(1, 20),
    ecm_fulltext: some(random, textOf(random, 1), ''),
    searchTerm: `${random.pick(words)}`,
    ...(random.next() < 0.3 && { dc_nature_agg: '["report"]' }),
    ...(random.next() < 0.3 && { sortBy: someColumn(random), sortOrder: 'asc' }),
    ...(random.next() < 0.2 && { highlight: 'dc:title,dc:description' }),
  })
  return {
    kind: `provider ${name}`,
    method: 'GET',
    path: `/search/pp/${encodeURIComponent(name)}/execute?${parameters}`,
    headers: random.next() < 0.2 ? { 'enrichers-document': 'highlight,breadcrumb' } : {},
  }
}

function operation(making: Making): WorldRequest {
  const { random, facts } = making
  const chosen = random.pick(facts.operations)
  if (chosen === undefined) return query(making)
  const number = someDocument(making)
  const guess = (name: string) => {
    if (/query/i.test(name) && !/params/i.test(name)) return someQuery(making, '*')
    if (/search|term|prefix|value/i.test(name)) return random.pick(words)
    if (/property|xpath/i.test(name)) return some(random, 'dc:title', 'dc:source')
    if (/provider/i.test(name)) return random.pick(facts.providers)
    if (/path|doc|target|id/i.test(name)) return some(random, `{${number}}`, `{path ${number}}`)
    return some(random, undefined, 'dc:title', '5')
  }
  const params = Object.fromEntries(
    chosen.params.map((name) => [name, guess(name)] as const).filter(([, value]) => value !== undefined),
  )
  const input = some(random, `doc:{${number}}`, undefined)
  return {
    kind: `operation ${chosen.id}`,
    method: 'POST',
    path: `/automation/${chosen.id}`,
    body: { params, context: {}, ...(input && { input }) },
  }
}

/** What was said, by its id, by what others call it, and by what it is about. */
function said(making: Making): WorldRequest {
  const { random } = making
  const [number, other] = [someDocument(making), someDocument(making)]
  const word = random.pick(words) as string
  const adapter = some(random, '@comment', '@annotation')
  const path = some(
    random,
    `/id/{${number}}/${adapter}/{${other}}`,
    `/id/{${number}}/${adapter}/external/${word}`,
    `/id/{${number}}/${adapter}?pageSize=${random.between(0, 5)}&fetch.comment=repliesSummary`,
    `/id/{${number}}/@annotation?xpath=file:content`,
    `/id/{${number}}/@annotation/comments?annotationIds={${other}}&annotationIds={${number}}`,
  )
  return { kind: `GET ${adapter} of`, method: 'GET', path }
}

/** Writes by the user, who may in one of both workspaces and nowhere else. */
export function write(making: Making): WorldRequest {
  const { random } = making
  const [number, other] = [someDocument(making), someDocument(making)]
  // Not those of hidden siblings: a name can be given once in a folder, whoever looks.
  const name = some(random, 'n0', 'doc0', `new${random.between(0, 5)}`)
  const call = (id: string, params: object = {}) => ({
    kind: `write ${id}`,
    method: 'POST' as const,
    path: `/automation/${id}`,
    body: { input: `doc:{${number}}`, params, context: {} },
  })
  return some<WorldRequest>(
    random,
    {
      kind: 'write create',
      method: 'POST',
      path: `/id/{${number}}`,
      body: { 'entity-type': 'document', type: 'Note', name, properties: { 'dc:title': name } },
    },
    {
      kind: 'write create',
      method: 'POST',
      path: '/path/default-domain/workspaces/own',
      body: { 'entity-type': 'document', type: 'Folder', name },
    },
    {
      kind: 'write update',
      method: 'PUT',
      path: `/id/{${number}}`,
      body: { 'entity-type': 'document', properties: { 'dc:description': textOf(random, 4) } },
    },
    call('Document.Copy', { target: `{${other}}`, name }),
    call('Document.Copy', { target: '/default-domain/workspaces/own' }),
    call('Document.Move', { target: `{${other}}`, name }),
    call('Document.CreateVersion', { increment: 'Minor' }),
    call('Document.Order', { before: `{${other}}` }),
    call('Document.Lock'),
    call('Document.Unlock'),
    call('Document.Trash'),
    call('Document.Untrash'),
    call('Document.PublishToSection', { target: `{${other}}` }),
    call('Document.AddToFavorites'),
    {
      kind: 'write comment',
      method: 'POST',
      path: `/id/{${number}}/@comment`,
      body: { 'entity-type': 'comment', text: textOf(random, 3), entityId: random.pick(words) },
    },
    {
      kind: 'write comment',
      method: 'PUT',
      path: `/id/{${number}}/@comment/{${other}}`,
      body: { 'entity-type': 'comment', text: textOf(random, 3) },
    },
    { kind: 'write comment', method: 'DELETE', path: `/id/{${number}}/@comment/{${other}}` },
    call('Document.RemoveFromFavorites'),
    call('Document.Subscribe', some(random, {}, { notifications: 'Modification,CommentAdded' }, { notifications: 'Creation' })),
    call('Document.Unsubscribe', some(random, {}, { notifications: 'CommentAdded' })),
    call('Favorite.GetDocuments'),
    call('Services.TagDocument', { tags: [random.pick(words), 'New One'] }),
    call('Services.UntagDocument', { tags: [random.pick(words), 'newone', 'hush'] }),
    call('Services.RemoveDocumentTags'),
    call('Document.AddToCollection', { collection: `{${other}}` }),
    call('Collection.RemoveFromCollection', { collection: `{${other}}` }),
    call('Document.MoveCollectionMember', { member1: `{${other}}` }),
    call('Collection.Create', { name: `${random.pick(words)}` }),
    ...(random.next() < 0.1 ? [call('Document.Delete')] : []),
  )
}

/** What is not there, and what is there for others, look alike. */
function refusal(making: Making): WorldRequest {
  const { random } = making
  const number = someDocument(making)
  const address = some(
    random,
    `/path{path ${number}}/nowhere${random.between(0, 5)}`,
    '/id/00000000-0000-4000-8000-000000000000',
    `/id/{${number}}/@nothing`,
    `/search/execute?${asParameters({ query: `SELECT * FROM Document WHERE ${random.pick(words)} = 1` })}`,
    '/search/pp/nowhere/execute',
    `/user/nobody${random.between(0, 3)}`,
    `/group/members`,
    `/management/distribution`,
    `/directory/nature`,
  )
  return { kind: 'refusal', method: some(random, 'GET', 'GET', 'DELETE'), path: address }
}
