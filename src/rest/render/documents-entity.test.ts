import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aRenderContext, aSession } from '../../../test/support/rendering.ts'
import { aStoredChild, aStoredDocument, aStoredVersion } from '../../../test/support/stored-document.ts'
import type { Aggregate } from '../../core/search/aggregates/aggregate.ts'
import type { AggregateDefinition } from '../../core/search/aggregates/aggregate-definition.ts'
import type { Page } from '../../core/search/page/page.ts'
import type { Session } from '../../core/session.ts'
import { attachCache, attachedCache, type Document } from '../../model/document.ts'
import { wholeText } from '../answer.ts'
import { writeDocuments, writeDocumentsText } from './documents-entity.ts'

type Entity = { [field: string]: unknown }

const root = aStoredDocument({ id: 'root' })
const first = aStoredChild(root, 'first', { id: 'first' })
const second = aStoredChild(root, 'second', { id: 'second' })

const aPage = (given: Partial<Page> = {}): Page => ({
  resultsCount: 41,
  pageSize: 20,
  maxPageSize: 1000,
  resultsCountLimit: 0,
  currentPageSize: 20,
  currentPageIndex: 1,
  currentPageOffset: 20,
  isSortable: true,
  error: null,
  ...given,
})

describe('a list as text', () => {
  const proxy = { ...second, id: 'proxy', isProxy: true, targetId: 'second' }
  const live = aStoredDocument({ id: 'live', path: '/live' })
  const version = aStoredVersion(live)
  const lists: [what: string, documents: readonly Document[], headers: { [name: string]: string }][] = [
    ['of nothing', [], {}],
    ['of documents', [first, second], { properties: '*' }],
    ['with versions and proxies among them', [version, first, proxy, second, version], { properties: '*' }],
    ['with enrichers', [first, second], { 'enrichers-document': 'permissions' }],
    ['of more than are written at once', Array.from({ length: 120 }, (_, index) => aStoredChild(root, `${index}`)), {}],
  ]
  for (const [what, documents, headers] of lists) {
    for (const page of [undefined, aPage()]) {
      test(`${what} is the list, ${page === undefined ? 'without' : 'with'} a page`, async () => {
        const context = () => aRenderContext(aSession([first, second, live]), { headers })
        const expected = JSON.stringify(await writeDocuments(context(), documents, page))
        for (const document of documents) attachCache(document, () => {})
        for (const time of ['at first', 'again', 'from joined bytes']) {
          assert.equal(wholeText(await writeDocumentsText(context(), documents, page)), expected, time)
        }
      })
    }
  }
})

describe('the bytes of a list that was asked for before', () => {
  const headers = { properties: '*' }
  const write = (documents: readonly Document[]) => writeDocumentsText(aRenderContext(aSession([]), { headers }), documents)
  const some = () => {
    const documents = ['a', 'b', 'ü'].map((name) => aStoredChild(root, name, { id: name, properties: { 'dc:title': name } }))
    for (const document of documents) attachCache(document, () => {})
    return documents as [Document, Document, Document]
  }
  const ids = (list: Awaited<ReturnType<typeof write>>) =>
    JSON.parse(wholeText(list)).entries.map((entry: Entity) => entry['uid'])

  test('are joined once, and weigh on the bound of its first document', async () => {
    const documents = some()
    const weight = () => attachedCache(documents[0])?.bytes ?? 0
    const first = await write(documents)
    const { rest = new Uint8Array() } = await write(documents)
    assert.equal(first.rest, undefined)
    assert.ok(rest.length > 0 && (await write(documents)).rest === rest)
    assert.ok(weight() > rest.length)
    await write(documents.slice(0, 2))
    assert.ok(weight() < rest.length, 'until another list begins with it')
  })

  test('are those of the very same list in the same form alone', async () => {
    const documents = some()
    const inForm = (headers: { [name: string]: string }) =>
      writeDocumentsText(aRenderContext(aSession([]), { headers }), documents)
    const forms = [{ properties: '*' }, { properties: 'dublincore' }, { 'enrichers-document': 'permissions' }]
    const expected = await Promise.all(
      forms.map(async (headers) => JSON.stringify(await writeDocuments(aRenderContext(aSession([]), { headers }), documents))),
    )
    for (const _ of [1, 2, 3, 4]) {
      for (const [index, headers] of forms.entries()) assert.equal(wholeText(await inForm(headers)), expected[index])
    }
  })

  test('count as much of what an answer may have as the entities that they are of', async () => {
    const documents = some()
    const session = aSession([])
    const grants: string[] = []
    const granted = ({ document }: { readonly document: string }) => grants.push(document)
    const noting = { ...session, principal: { ...session.principal, granted } } as Session
    for (const _ of [1, 2, 3]) await write(documents)
    const context = aRenderContext(noting, { headers })
    const spent: number[] = []
    context.budget.spendTexts = (count) => spent.push(count)
    await writeDocumentsText(context, documents)
    assert.deepEqual([spent, grants], [[3], documents.map(({ id }) => id)])
  })

  test('are not those of a list with a changed document, another order, or fewer', async () => {
    const documents = some()
    const [a, b, u] = documents
    for (const _ of [1, 2, 3]) await write(documents)
    const changed = { ...u, id: 'changed' }
    attachCache(changed, () => {})
    for (const other of [[a, b, changed], [a, u, b], [a, b], documents, [a, { ...b, id: 'uncached' }, u]]) {
      for (const _ of [1, 2, 3]) {
        assert.deepEqual(
          ids(await write(other)),
          other.map(({ id }) => id),
        )
      }
    }
  })
})

describe('a paged list', () => {
  test('tells where it stands, field by field, and then what is on the page', async () => {
    const entity: Entity = await writeDocuments(aRenderContext(aSession()), [first], aPage())
    assert.deepEqual(Object.entries(entity).slice(0, -1), [
      ['entity-type', 'documents'],
      ['isPaginable', true],
      ['resultsCount', 41],
      ['pageSize', 20],
      ['maxPageSize', 1000],
      ['resultsCountLimit', 0],
      ['currentPageSize', 20],
      ['currentPageIndex', 1],
      ['currentPageOffset', 20],
      ['numberOfPages', 3],
      ['isPreviousPageAvailable', true],
      ['isNextPageAvailable', true],
      ['isLastPageAvailable', true],
      ['isSortable', true],
      ['hasError', false],
      ['errorMessage', null],
      ['totalSize', 41],
      ['pageIndex', 1],
      ['pageCount', 3],
    ])
    assert.equal(Object.keys(entity).at(-1), 'entries')
  })

  const rows: [string, Partial<Page>, Entity][] = [
    [
      'the first page',
      { currentPageIndex: 0, currentPageOffset: 0 },
      { isPreviousPageAvailable: false, isNextPageAvailable: true },
    ],
    ['the last page', { currentPageOffset: 40, currentPageSize: 1 }, { isNextPageAvailable: false, isLastPageAvailable: false }],
    [
      'a full page of an unknown number',
      { resultsCount: -2 },
      { totalSize: -2, numberOfPages: 0, isNextPageAvailable: true, isLastPageAvailable: false },
    ],
    ['a short page of an unknown number', { resultsCount: -2, currentPageSize: 3 }, { isNextPageAvailable: false }],
    ['no paging', { pageSize: 0, currentPageOffset: 0 }, { numberOfPages: 1, isNextPageAvailable: false }],
    ['an error', { error: 'Syntax error' }, { hasError: true, errorMessage: 'Syntax error' }],
  ]
  for (const [name, page, expected] of rows) {
    test(`with ${name} says so`, async () => {
      const entity: Entity = await writeDocuments(aRenderContext(aSession()), [], aPage(page))
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, entity[key]])), expected)
    })
  }

  test('shows aggregates and quick filters before the entries, and only when there are some', async () => {
    const definition: AggregateDefinition = { id: 'total', type: 'sum', field: 'file:content/length' }
    const aggregates: readonly Aggregate[] = [{ definition, selection: [], result: { kind: 'value', value: 12 } }]
    const context = aRenderContext(aSession())
    const entity: Entity = await writeDocuments(context, [], aPage(), {
      aggregates,
      quickFilters: [{ name: 'noFolder', isActive: true }],
    })
    assert.deepEqual(Object.keys(entity).slice(-4), ['pageCount', 'aggregations', 'quickFilters', 'entries'])
    assert.deepEqual(Object.keys(entity['aggregations'] as Entity), ['total'])
    assert.deepEqual(entity['quickFilters'], [{ name: 'noFolder', active: true }])
    const without = await writeDocuments(context, [], aPage(), { aggregates: [], quickFilters: [] })
    assert.ok(!('aggregations' in without) && !('quickFilters' in without))
  })
})

describe('a plain list', () => {
  test('has its size and its entries only', async () => {
    const entity: Entity = await writeDocuments(aRenderContext(aSession()), [second, first])
    assert.deepEqual(Object.keys(entity), ['entity-type', 'totalSize', 'entries'])
    assert.deepEqual(
      (entity['entries'] as Entity[]).map(({ uid }) => uid),
      ['second', 'first'],
    )
  })

  test('shows its entries in full: they are the top', async () => {
    const entity: Entity = await writeDocuments(aRenderContext(aSession(), { headers: { properties: 'dublincore' } }), [first])
    const [entry = {}] = entity['entries'] as Entity[]
    assert.ok('properties' in entry)
  })

  test('looks up the live documents of all its versions at once', async () => {
    const versions = [
      aStoredVersion(first, { id: 'v1' }),
      aStoredVersion(second, { id: 'v2' }),
      aStoredVersion(first, { id: 'v3' }),
    ]
    const session = aSession([first])
    const asked: (readonly string[])[] = []
    const entity: Entity = await writeDocuments(aRenderContext(counting(session, asked)), versions)
    assert.deepEqual(
      (entity['entries'] as Entity[]).map(({ path }) => path),
      ['/first', null, '/first'],
    )
    assert.deepEqual(asked, [['first', 'second']])
  })
})

function counting(session: Session, asked: (readonly string[])[]): Session {
  const { documents } = session.reader
  const findAll = (ids: readonly string[]) => {
    asked.push(ids)
    return documents.findAll(ids)
  }
  const find = () => Promise.reject(new Error('one by one'))
  return { ...session, reader: { ...session.reader, documents: { ...documents, findAll, find } } }
}
