import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openSession } from '../../src/core/access.ts'
import { getOrCreateChild } from '../../src/core/documents/get-or-create-child.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { store } from '../../src/core/documents/read-for-update.ts'
import { setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import type { Repository } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { statusOfError } from '../../src/rest/problem-status.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { overridden } from '../support/overridden.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()

onEachServer(
  'several at once',
  (server) => {
    const bench = workbenchOn(server)
    let repository: Repository
    before(async () => {
      const found = server.services.repositories.get('default')
      assert.ok(found)
      repository = found
      await server.addUser('bob', ['members'])
    })
    const allAtOnce = <Result>(count: number, act: (index: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_, index) => act(index)))
    const administrator = async () => {
      const principal = await server.services.principals.find('Administrator')
      assert.ok(principal)
      return principal
    }
    const put = (id: string, properties: { [name: string]: unknown }, others = {}) =>
      server.as('Administrator').put(`/id/${id}`, changesTo(properties, others))

    describe('15 two that write the same document', () => {
      test('the later is refused with 409 when it writes what it read before the other wrote', async () => {
        const { uid } = await bench.create('File')
        const stale = await readDocument(openSession(repository, await administrator()), uid)
        await bench.update(uid, { 'dc:title': 'first' })
        const later = server.inSession('Administrator', (session) =>
          store(session, stale, { ...stale, properties: { ...stale.properties, 'dc:title': 'second' } }),
        )
        await assertRefusal(later, 409, uid)
        assert.equal((await bench.read(uid)).title, 'first')
      })
      test('change what they read, one after the other, and no change is lost', async () => {
        const { uid } = await bench.create('File', { 'dc:description': '0' })
        await allAtOnce(20, () =>
          server.inSession('Administrator', (session) =>
            saveDocument(session, uid, ({ properties }) => ({
              'dc:description': String(Number(properties['dc:description']) + 1),
            })),
          ),
        )
        const { properties, changeToken } = await bench.read(uid, inFull)
        assert.deepEqual([properties['dc:description'], changeToken], ['20', '20-0'])
      })
      test('without a token the last one wins, and what only one of them sends stays', async () => {
        const { uid } = await bench.create('File')
        const names = ['dc:rights', 'dc:source', 'dc:format', 'dc:language']
        const answers = await allAtOnce(12, (index) =>
          put(uid, { 'dc:title': `title ${index}`, [names[index % 4] ?? '']: String(index) }),
        )
        assert.ok(answers.every(({ status }) => status === 200))
        const { properties } = await bench.read(uid, inFull)
        assert.match(properties['dc:title'], /^title \d+$/)
        for (const [index, name] of names.entries()) assert.equal(Number(properties[name]) % 4, index)
      })
      test('with the same token one succeeds, the others are refused with 409 and the id', async () => {
        const { uid, changeToken } = await bench.create('File')
        const answers = await allAtOnce(12, (index) => put(uid, { 'dc:title': `title ${index}` }, { uid, changeToken }))
        const [winner, ...others] = answers.filter(({ status }) => status === 200)
        assert.deepEqual(others, [])
        for (const answer of answers) if (answer !== winner) assertRefused(answer, 409, uid)
        assert.equal((await bench.read(uid)).title, winner?.body.title)
      })
      test('and one of them several more, in whatever order, all succeed', async () => {
        const ids = [(await bench.create('File')).uid, (await bench.create('File')).uid, (await bench.create('File')).uid]
        const answers = await allAtOnce(12, (index) => {
          const order = index % 2 === 0 ? ids : ids.toReversed()
          const address = `/bulk${order.map((id) => `;id=${id}`).join('')}`
          return server.as('Administrator').put(address, changesTo({ 'dc:title': `title ${index}` }))
        })
        assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        const shown = await Promise.all(ids.map((id) => bench.read(id)))
        assert.equal(new Set(shown.map(({ title }) => title)).size, 1)
        assert.deepEqual(new Set(shown.map(({ changeToken }) => changeToken)), new Set(['12-0']))
      })
    })

    describe('15 a child that is made where it is missing', () => {
      const make = () => ({ type: 'Folder', properties: { 'dc:title': 'made once' } })
      const getOrCreate = (parentId: string, name: string, user = 'Administrator') =>
        server.inSession(user, async (session) => getOrCreateChild(session, await readDocument(session, parentId), name, make))

      for (const type of ['Folder', 'OrderedFolder']) {
        test(`is one document for fifty who ask at once, in a ${type}`, async () => {
          const { uid } = await bench.create(type)
          const events = await recorder.eventsOf(async () => {
            const made = await allAtOnce(50, () => getOrCreate(uid, 'only'))
            assert.equal(new Set(made.map(({ id }) => id)).size, 1)
            assert.equal(made[0]?.name, 'only')
          })
          assert.equal(events.filter(({ name }) => name === 'documentCreated').length, 1)
          const { body } = await server.as('Administrator').get(`/id/${uid}/@children`)
          assert.deepEqual(
            body.entries.map(({ title }: { title: string }) => title),
            ['made once'],
          )
        })
      }
      test('is one document too when others create one of that name the usual way', async () => {
        const { uid, path } = await bench.create('Folder')
        const made = await allAtOnce(20, async (index) =>
          index % 2 === 0
            ? (await getOrCreate(uid, 'only')).id
            : (await bench.create('File', {}, { parent: path, name: 'only' })).uid,
        )
        assert.equal(new Set(made.filter((_, index) => index % 2 === 0)).size, 1)
        assert.equal(new Set(made.filter((_, index) => index % 2 === 1)).size, 10)
      })
      test('is the one that is there, of whatever type, made by nobody anew', async () => {
        const { uid, path } = await bench.create('Folder')
        const existing = await bench.create('File', {}, { parent: path, name: 'there' })
        assert.equal((await getOrCreate(uid, 'there')).id, existing.uid)
        assert.equal((await getOrCreate(uid, 'the\u0301re')).name, 'thére')
        assert.equal((await getOrCreate(uid, 'thére')).name, 'thére')
        assert.equal((await server.as('Administrator').get(`/id/${uid}/@children`)).body.entries.length, 2)
      })
      test('takes AddChildren to make and Read to get', async () => {
        const { uid, path } = await bench.create('Folder')
        await assertRefusal(getOrCreate(uid, 'only', 'bob'), 403, privilegeMissing('AddChildren', 'bob'))
        const secret = await bench.create('File', {}, { parent: path, name: 'secret' })
        await bench.restrict(secret.uid)
        await assertRefusal(getOrCreate(uid, 'secret', 'bob'), 403, privilegeMissing('Read', 'bob'))
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'AddChildren')] }])
        assert.equal((await getOrCreate(uid, 'only', 'bob')).name, 'only')
      })
      for (const name of ['', '  ', 'a/b', '..', 'x'.repeat(256)]) {
        test(`has a name: ${JSON.stringify(name.slice(0, 10))} is refused with 400`, async () => {
          const { uid } = await bench.create('Folder')
          await assertRefusal(getOrCreate(uid, name), 400, /^Invalid name/)
        })
      }
    })

    describe('15, 17 a hold and a removal at the same time', () => {
      const rounds = 12
      const hold = (id: string) => server.asSystem((session) => setLegalHold(session, id))
      const outcome = async (id: string, removedId: string) => {
        const [held, removed] = await Promise.allSettled([hold(id), server.as('Administrator').delete(`/id/${removedId}`)])
        const status = removed.status === 'fulfilled' ? removed.value.status : undefined
        const exists = (await server.as('Administrator').get(`/id/${id}`)).status === 200
        if (held.status === 'rejected') assert.equal(statusOfError(held.reason), 404)
        assert.deepEqual([status, exists], held.status === 'fulfilled' ? [409, true] : [204, false])
      }
      test('end with the document held or gone, never both', async () => {
        for (let round = 0; round < rounds; round++) {
          const { uid } = await bench.create('File')
          await outcome(uid, uid)
        }
      })
      test('end so too where the removal is that of a folder above', async () => {
        for (let round = 0; round < rounds; round++) {
          const folder = await bench.create('Folder')
          const { uid } = await bench.create('File', {}, { parent: folder.path })
          await outcome(uid, folder.uid)
        }
      })
      test('also where the hold comes after the removal looked for one, and before it removes', async () => {
        const folder = await bench.create('Folder')
        const { uid } = await bench.create('File', {}, { parent: folder.path })
        if (repository.store.engine === 'sqlite') return // one writes at a time: there is no such moment
        const removal = server.asSystem(async (session) => {
          const { documents } = session.tx
          const lockSubtree: typeof documents.lockSubtree = async (path) => {
            await hold(uid)
            return documents.lockSubtree(path)
          }
          const tx = overridden(session.tx, { documents: { ...documents, lockSubtree } })
          await removeDocument({ ...session, tx, reader: tx }, folder.uid)
        })
        await assertRefusal(removal, 409, `Cannot remove ${folder.uid}, subdocument ${uid} is under retention / hold`)
        assert.equal((await bench.read(uid)).hasLegalHold, true)
      })
    })

    describe('15 the token', () => {
      test('of a new document is 0-0; the first number counts what is stored, the second what a user sent a token with', async () => {
        const { uid, changeToken } = await bench.create('File')
        assert.equal(changeToken, '0-0')
        const tokens = []
        for (const others of [{}, { uid, changeToken: '1-0' }, {}, { uid, changeToken: '3-1' }]) {
          tokens.push(requireStatus(200, await put(uid, { 'dc:title': crypto.randomUUID() }, others)).changeToken)
        }
        assert.deepEqual(tokens, ['1-0', '2-1', '3-1', '4-2'])
      })
      test('of a proxy is its own and that of what it shows, and both are compared', async () => {
        const { uid } = await bench.create('File')
        const folder = await bench.create('Folder')
        const proxy = await bench.createProxy(folder.uid, uid)
        assert.equal((await bench.read(proxy)).changeToken, '0-0/0-0')
        for (const changeToken of ['0-1/0-0', '0-0/0-1', '0-0', 'nonsense', '0-0/0-0/0-0']) {
          assertRefused(await put(proxy, { 'dc:title': 'no' }, { uid: proxy, changeToken }), 409, proxy)
        }
        const saved = requireStatus(200, await put(proxy, { 'dc:title': 'yes' }, { uid: proxy, changeToken: '0-0/0-0' }))
        assert.equal(saved.changeToken, '0-0/1-1')
        assert.equal((await bench.read(uid)).changeToken, '1-1')
      })
    })
  },
  { plugins: [recorder.plugin] },
)
