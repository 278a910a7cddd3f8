import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import { grant } from '../../src/model/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { workedDataOn, workedPlugin } from './worked-data.ts'

const live = 'ecm:isVersion = 0'
const everyLive = 'alpha beta f1 f2 f4 gamma n3'

type Expectation = readonly [number: number, query: string, names: string]

onEachServer(
  'a query over changed documents of the specification',
  (server) => {
    const data = workedDataOn(server)
    before(() => data.fill())

    const finds = (rows: readonly Expectation[]) => {
      for (const [number, query, names] of rows) {
        test(`${number} ${query} finds ${names || 'nothing'}`, async () => {
          const found = await data.find(`SELECT * FROM ${query}`)
          assert.equal([...found].sort().join(' '), names)
        })
      }
    }

    describe('after a move', () => {
      const moveBeta = (parent: string) =>
        data.inSession((session) => moveDocument(session, data.idOf('beta'), { parentId: data.idOf(parent), name: 'beta' }))
      before(() => moveBeta('alpha'))
      after(() => moveBeta('root'))
      finds([[34, "Document WHERE ecm:path STARTSWITH '/alpha'", 'beta f1 f2 f4 gamma n3']])
    })

    describe('after a lock', () => {
      before(() => data.inSession((session) => lockDocument(session, data.idOf('f1'))))
      after(() => data.inSession((session) => unlockDocument(session, data.idOf('f1'))))
      finds([[60, 'Document WHERE ecm:lockOwner IS NOT NULL', 'f1']])
    })

    describe('with a document in the trash', () => {
      before(() => data.inSession((session) => trashDocument(session, data.idOf('f1'))))
      after(() => data.inSession((session) => untrashDocument(session, data.idOf('f1'))))
      finds([
        [61, 'Document WHERE ecm:isTrashed = 1', 'f1'],
        [61, 'Document WHERE ecm:isTrashed = 0', 'alpha beta f2 f4 gamma n3 n3v'],
      ])
    })

    describe('with a folder in the trash', () => {
      before(() => data.inSession((session) => trashDocument(session, data.idOf('beta'))))
      after(() => data.inSession((session) => untrashDocument(session, data.idOf('beta'))))
      finds([[61, 'Document WHERE ecm:isTrashed = 1', 'beta f4 gamma']])
    })

    describe('with characters that patterns know', () => {
      before(async () => {
        for (const [name, title] of [
          ['k1', 'fo%'],
          ['k2', 'foo'],
          ['k3', 'fo\\'],
        ] as const) {
          await data.create(name, 'File', 'beta', { 'dc:title': title })
        }
      })
      after(async () => {
        for (const name of ['k1', 'k2', 'k3']) await data.remove(name)
      })
      finds([
        [64, String.raw`File WHERE dc:title LIKE 'fo\%'`, 'k1'],
        [65, String.raw`File WHERE dc:title LIKE 'fo\\\\'`, 'k3'],
      ])
    })

    describe('in an ordered folder', () => {
      before(async () => {
        await data.create('ordered', 'OrderedFolder', 'root')
        for (const name of ['first', 'second', 'third']) await data.create(name, 'File', 'ordered')
      })
      after(() => data.remove('ordered'))
      test('69 the children come last to first', async () => {
        const query = "SELECT * FROM Document WHERE ecm:parentId = '<ordered>' ORDER BY ecm:pos DESC"
        assert.deepEqual(await data.find(query), ['third', 'second', 'first'])
      })
    })

    describe('with rights of its own', () => {
      const setOwn = (aces: Parameters<typeof grant>[]) =>
        data.inSession((session) =>
          setAcls(session, data.idOf('alpha'), [{ name: 'local', aces: aces.map((entry) => grant(...entry)) }]),
        )
      before(() =>
        setOwn([
          ['bob', 'Browse'],
          ['steve', 'Read'],
        ]),
      )
      after(() => setOwn([]))
      finds([
        [81, "Document WHERE ecm:acl/*/principal = 'bob' AND ecm:acl/*/permission = 'Read'", 'alpha'],
        [82, "Document WHERE ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/permission = 'Read'", ''],
        [83, "Document WHERE ecm:acl/*1/name = 'local' AND ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/grant = 1", 'alpha'],
      ])
    })

    describe('with tags', () => {
      const tag = (name: string, ...labels: string[]) =>
        data.setProperties(name, { 'nxtag:tags': labels.map((label) => ({ label, username: 'bob' })) })
      before(async () => {
        await tag('f1', 'red', 'big')
        await tag('f2', 'red')
      })
      after(async () => {
        await tag('f1')
        await tag('f2')
      })
      finds([
        [84, "Document WHERE ecm:tag = 'red'", 'f1 f2'],
        [85, "Document WHERE ecm:tag = 'red' AND ecm:tag = 'big'", ''],
        [86, "Document WHERE ecm:tag/* = 'red' AND ecm:tag/* = 'big'", 'f1'],
        [87, "Document WHERE ecm:tag/*1 = 'red' AND ecm:tag/*2 = 'big'", 'f1'],
        [88, "Document WHERE ecm:tag IN ('red','big')", 'f1 f2'],
        [89, 'File WHERE ecm:tag IS NULL', 'f4'],
      ])
    })

    describe('with a list of people', () => {
      const people = [
        { first: 'John', last: 'Doe' },
        { first: 'Ann', last: 'Ray' },
      ]
      before(() => data.create('s', 'Specimen', 'beta', { 'dc:title': 'T', 'p:people': people }))
      after(() => data.remove('s'))
      const either = (member: string, name: string) => `(p:people/*1/${member} = '${name}' OR p:people/*1/${member} = 'X')`
      finds([
        [90, "Document WHERE p:people/*1/first = 'John' AND p:people/*1/last = 'Ray'", ''],
        [91, "Document WHERE p:people/*/first = 'John' AND p:people/*/last = 'Ray'", 's'],
        [92, "Document WHERE p:people/0/last = 'Doe'", 's'],
        [92, "Document WHERE p:people/item[0]/last = 'Doe'", 's'],
        [93, `Document WHERE ${either('first', 'John')} AND dc:title = 'T' AND ${either('last', 'Doe')}`, 's'],
        [93, `Document WHERE ${either('first', 'John')} AND dc:title = 'U' AND ${either('last', 'Doe')}`, ''],
      ])
      test('94 a correlated wildcard selects the members of the same item', async () => {
        const rows = await data.rows('SELECT p:people/*1/first, p:people/*1/last FROM Specimen')
        assert.deepEqual(rows.map((row) => Object.values(row).join(' ')).sort(), ['Ann Ray', 'John Doe'])
      })
    })

    describe('for another column than the id', () => {
      before(async () => {
        await data.create('k', 'File', 'beta', { 'dc:source': data.idOf('f2') })
        await data.create('m', 'File', 'beta', { 'dc:source': 'scanner' })
      })
      after(async () => {
        await data.remove('k')
        await data.remove('m')
      })
      test('96 gives the document that the column names', async () =>
        assert.deepEqual(await data.find("SELECT dc:source FROM File WHERE ecm:name = 'k'"), ['f2']))

      test('97 gives nothing when the column names no document', async () => {
        const { entries, totalSize } = await data.execute("SELECT dc:source FROM File WHERE ecm:name = 'm'")
        assert.deepEqual({ entries, totalSize }, { entries: [], totalSize: 0 })
      })
    })

    describe('under retention', () => {
      before(() => data.change('f1', { isRecord: true, retainUntil: '2100-01-01T00:00:00.000Z', hasLegalHold: true }))
      after(() => data.change('f1', { isRecord: false, retainUntil: null, hasLegalHold: false }))
      finds([
        [103, 'Document WHERE ecm:isRecord = 1', 'f1'],
        [103, 'File WHERE ecm:hasLegalHold = 0', 'f2 f4'],
        [103, "Document WHERE ecm:retainUntil > TIMESTAMP '2099-01-01 00:00:00'", 'f1'],
      ])
    })

    describe('after f4 was published into alpha', () => {
      before(async () => {
        const proxy = await data.inSession((session) => publishDocument(session, data.idOf('f4'), data.idOf('alpha')))
        data.name(proxy.id, 'p')
        const [version] = await data.inSession(({ tx }) => tx.documents.listVersions(data.idOf('f4')))
        data.name(version?.id ?? '', 'f4v')
      })
      finds([
        [51, "Document WHERE dc:title = 'Fourth'", 'f4 f4v p'],
        [52, 'Document WHERE ecm:isProxy = 1', 'p'],
        [52, 'Document WHERE ecm:isProxy <> 0', 'p'],
        [53, `Document WHERE ecm:isProxy = 0 AND ${live}`, everyLive],
        [54, `Document WHERE ${live}`, `${everyLive} p`],
        [55, 'Document WHERE ecm:isLatestVersion = 1', 'f4v n3v p'],
        [56, "Document WHERE ecm:versionLabel = '0.1'", 'f4v n3v p'],
        [57, 'Document WHERE ecm:isCheckedIn = 1', 'f4 n3'],
        [58, "Document WHERE ecm:versionVersionableId = '<f4>'", 'f4v p'],
        [59, "Document WHERE ecm:proxyTargetId = '<f4v>'", 'p'],
        [59, "Document WHERE ecm:proxyVersionableId = '<f4>'", 'p'],
      ])
    })
  },
  { plugins: [workedPlugin] },
)
