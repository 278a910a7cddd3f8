import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import * as worked from '../support/worked-query-table.ts'
import { workedDataOn, workedPlugin } from './worked-data.ts'
import { finds } from './worked-finds.ts'

onEachServer(
  'a query over changed documents of the contract',
  (server) => {
    const data = workedDataOn(server)
    before(() => data.fill())

    describe('after a move', () => {
      const moveBeta = (parent: string) =>
        data.inSession((session) => moveDocument(session, data.idOf('beta'), { parentId: data.idOf(parent), name: 'beta' }))
      before(() => moveBeta('alpha'))
      after(() => moveBeta('root'))
      finds(data, worked.moved)
    })

    describe('after a lock', () => {
      before(() => data.inSession((session) => lockDocument(session, data.idOf('f1'))))
      after(() => data.inSession((session) => unlockDocument(session, data.idOf('f1'))))
      finds(data, worked.locked)
    })

    describe('with a document in the trash', () => {
      before(() => data.inSession((session) => trashDocument(session, data.idOf('f1'))))
      after(() => data.inSession((session) => untrashDocument(session, data.idOf('f1'))))
      finds(data, worked.trashed)
    })

    describe('with a folder in the trash', () => {
      before(() => data.inSession((session) => trashDocument(session, data.idOf('beta'))))
      after(() => data.inSession((session) => untrashDocument(session, data.idOf('beta'))))
      finds(data, [[61, 'Document WHERE ecm:isTrashed = 1', 'beta f4 gamma']])
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
      finds(data, worked.patterns)
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
      finds(data, worked.rights)
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
      finds(data, worked.tags)
    })

    describe('with a list of people', () => {
      const people = [
        { first: 'John', last: 'Doe' },
        { first: 'Ann', last: 'Ray' },
      ]
      before(() => data.create('s', 'Specimen', 'beta', { 'dc:title': 'T', 'p:people': people }))
      after(() => data.remove('s'))
      finds(data, worked.people)
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
      finds(data, worked.retention)
    })

    describe('after f4 was published into alpha', () => {
      before(async () => {
        const proxy = await data.inSession((session) => publishDocument(session, data.idOf('f4'), data.idOf('alpha')))
        data.name(proxy.id, 'p')
        const [version] = await data.inSession(({ tx }) => tx.documents.listVersions(data.idOf('f4')))
        data.name(version?.id ?? '', 'f4v')
      })
      finds(data, worked.published)
    })
  },
  { plugins: [workedPlugin] },
)
