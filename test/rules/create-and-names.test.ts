import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument, type NewDocument } from '../../src/core/documents/create-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { readDocument, readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { aDocument, assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const naming = definePlugin({
  name: 'naming',
  listeners: [
    {
      name: 'naming',
      when: 'inline',
      events: ['aboutToCreate'],
      handle: ({ document }) => {
        const name = document.properties['dc:source']
        return typeof name === 'string' && name.startsWith('name:') ? { ...document, name: name.slice(5) } : undefined
      },
    },
  ],
})

onEachServer(
  'creating and naming',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
    })
    const fresh = async () => {
      folder = await bench.create('Folder')
    }
    const post = (body: object, user = 'Administrator') => server.as(user).post(`/id/${folder.uid}`, body)
    const nameOf = ({ path }: { readonly path: string }) => path.slice(path.lastIndexOf('/') + 1)
    const postNamed = async (name: string) => nameOf(requireStatus(201, await post(aDocument({ name }))))
    /** Creates a File as a session does, the name taken as it is. */
    const createAs = (user: string, wanted: Partial<NewDocument> = {}) =>
      server.inSession(user, async (session) => {
        const parent = await readDocument(session, folder.uid)
        return createDocument(session, { parent, type: 'File', name: 'made', properties: {}, ...wanted })
      })

    test('9 many of one name in one request, thrown away and copied as well, all get one of their own', async () => {
      const { uid } = await bench.create('Folder')
      const names = await server.inSession('Administrator', async (session) => {
        const parent = await readDocument(session, uid)
        for (let made = 0; made < 150; made++) {
          const document = await createDocument(session, { parent, type: 'File', name: 'same', properties: {} })
          if (made % 10 === 0) await trashDocument(session, document.id)
          if (made % 10 === 5) await copyDocument(session, document.id, { parentId: uid })
          if (made % 10 === 7) await moveDocument(session, document.id, { name: 'other' })
        }
        const children = await session.tx.documents.findAll(await session.tx.documents.listChildIds(uid))
        return children.map(({ name }) => name)
      })
      assert.deepEqual([names.length, new Set(names).size], [165, 165])
      for (const name of names) assert.match(name, /^(same|other)(\.\d{13})?(\._\d{13}_\.trashed)?$/)
    })

    describe('9 a path segment made from a name', () => {
      const rows: readonly [sent: string, segment: string][] = [
        ['  My Report  ', 'My Report'],
        ['My  Report/2024', 'My  Report-2024'],
        ['back\\slash', 'back-slash'],
        ['A name longer than twenty four chars', 'A name longer than twenty four chars'],
        [`${'x'.repeat(254)} and more`, 'x'.repeat(254)],
        ['Éléphant UPPER lower', 'Éléphant UPPER lower'],
        ['e\u0301te\u0301', 'été'],
      ]
      before(fresh)
      for (const [sent, segment] of rows) {
        test(`of ${JSON.stringify(sent)} is ${JSON.stringify(segment)}`, async () => {
          assert.equal(await postNamed(sent), segment)
        })
      }
      for (const sent of ['...', '- . , ; ? ! : \' "', '\\']) {
        test(`of ${JSON.stringify(sent)} is a random decimal number`, async () => {
          const names = [await postNamed(sent), await postNamed(sent)]
          for (const name of names) {
            assert.match(name, /^[1-9]\d*$/)
            assert.ok(BigInt(name) < 2n ** 63n)
          }
          assert.notEqual(names[0], names[1])
        })
      }
      for (const [what, body] of [
        ['no type', aDocument({ type: undefined })],
        ['a blank type', aDocument({ type: ' ' })],
        ['no name', aDocument({ name: undefined })],
        ['a blank name', aDocument({ name: ' \t' })],
      ] as const) {
        test(`9 creating with ${what} is refused with 400`, async () => {
          assertRefused(await post(body), 400, /type or name/)
        })
      }
    })

    describe('9 a name given to a session', () => {
      before(fresh)
      test('with a slash in it is refused with 400', async () => {
        await assertRefusal(createAs('Administrator', { name: 'a/b' }), 400, /^Invalid name 'a\/b': .*slash/)
      })
      for (const name of ['.', '..']) {
        test(`that means another place in a path (${name}) is refused with 400`, async () => {
          await assertRefusal(createAs('Administrator', { name }), 400, /^Invalid name/)
        })
      }
      test('is composed (Unicode NFC)', async () => {
        assert.equal((await createAs('Administrator', { name: 'e\u0301' })).name, '\u00e9')
      })
      test('is not cut at 24, but has at most 255 characters', async () => {
        const name = 'n'.repeat(255)
        assert.equal((await createAs('Administrator', { name })).name, name)
        await assertRefusal(createAs('Administrator', { name: 'n'.repeat(256) }), 400, /at most 255 characters/)
      })
      test('that is taken and has 255 characters is cut for its number', async () => {
        const name = 'm'.repeat(255)
        await createAs('Administrator', { name })
        const next = (await createAs('Administrator', { name })).name
        assert.match(next, /^m{241}\.\d{13}$/)
        assert.equal(next.length, 255)
      })
      for (const name of ['', '  ', '\u200b']) {
        test(`that is empty (${JSON.stringify(name)}) becomes a random decimal number`, async () => {
          assert.match((await createAs('Administrator', { name })).name, /^[1-9]\d*$/)
        })
      }
    })

    describe('9 names of siblings', () => {
      before(fresh)
      test('that are taken get the time in milliseconds behind a dot, and creating never fails for them', async () => {
        const before = Date.now()
        assert.equal(await postNamed('report'), 'report')
        const second = await postNamed('report')
        assert.match(second, /^report\.\d{13}$/)
        const millis = Number(second.slice('report.'.length))
        assert.ok(before <= millis && millis <= Date.now())
        assert.equal(new Set([await postNamed('report'), await postNamed('report'), second]).size, 3)
      })
      test('that are taken by several at once in one transaction are all different', async () => {
        const created = await server.inSession('Administrator', async (session) => {
          const parent = await readDocument(session, folder.uid)
          const names = []
          for (let made = 0; made < 4; made++) {
            names.push((await createDocument(session, { parent, type: 'File', name: 'many', properties: {} })).name)
          }
          return names
        })
        assert.equal(new Set(created).size, 4)
      })
      test('that are taken by several transactions at once are all different', async () => {
        const names = await Promise.all(Array.from({ length: 8 }, () => postNamed('rush')))
        assert.equal(new Set(names).size, 8)
        for (const name of names) assert.match(name, /^rush(\.\d{13})?$/)
      })
      test('keep a number that was part of the name: only copies lose it', async () => {
        await postNamed('scan.7')
        assert.match(await postNamed('scan.7'), /^scan\.7\.\d{13}$/)
      })
      test('are told apart by case', async () => {
        assert.deepEqual([await postNamed('Case'), await postNamed('case')], ['Case', 'case'])
      })
      test('are the same when they are composed alike', async () => {
        assert.equal(await postNamed('\u00e0'), '\u00e0')
        assert.match(await postNamed('a\u0300'), /^\u00e0\.\d{13}$/)
      })
    })

    describe('9 skipDestinationCheck', () => {
      before(fresh)
      test('leaves out the look at the name: the event tells the one asked for, and the document still gets a free one', async () => {
        await createAs('Administrator', { name: 'loaded' })
        let made = ''
        const events = await recorder.eventsOf(async () => {
          made = (await createAs('Administrator', { name: 'loaded', options: { destinationCheck: false } })).name
        })
        const { destinationName, destinationExists } = readEvent(events, 'aboutToCreate').properties
        assert.deepEqual([destinationName, destinationExists], ['loaded', false])
        assert.match(made, /^loaded\.\d{13}$/)
        assert.equal(readEvent(events, 'documentCreated').properties['destinationName'], made)
      })
    })

    describe('9 a path', () => {
      before(fresh)
      const readByPath = (path: string) => server.inSession('Administrator', (session) => readDocumentByPath(session, path))
      test('may end in one slash, in a session and in a URL', async () => {
        assert.equal((await readByPath(`${folder.path}/`)).id, folder.uid)
        assert.equal((await server.as('Administrator').get(`/path${folder.path}/`)).body.uid, folder.uid)
        assert.equal((await readByPath('/')).path, '/')
      })
      for (const [what, change] of [
        ['an empty component', (path: string) => path.replace('/workspaces', '//workspaces')],
        ['two slashes at its end', (path: string) => `${path}//`],
        ['no slash at its start', (path: string) => path.slice(1)],
      ] as const) {
        test(`with ${what} finds nothing: 404`, async () => {
          await assertRefusal(readByPath(change(folder.path)), 404, change(folder.path))
        })
      }
    })

    describe('9 creating', () => {
      before(fresh)
      test('needs AddChildren on the parent, else 403', async () => {
        await bench.restrict(folder.uid, grant('bob', 'Read'), grant('carol', 'Read'), grant('carol', 'AddChildren'))
        assertRefused(await post(aDocument(), 'bob'), 403, privilegeMissing('AddChildren', 'bob'))
        assert.equal((await post(aDocument(), 'carol')).status, 201)
      })
      test('below a parent that is not there is 404', async () => {
        const gone = await bench.create('Folder')
        await server.as('Administrator').delete(`/id/${gone.uid}`)
        assertRefused(await server.as('Administrator').post(`/id/${gone.uid}`, aDocument()), 404, gone.uid)
        assert.equal((await server.as('Administrator').post(`/path${gone.path}`, aDocument())).status, 404)
      })
      test('in a folder locked by another is refused with 403', async () => {
        const locked = await bench.create('Folder')
        await bench.restrict(locked.uid, grant('bob', 'ReadWrite'), grant('carol', 'ReadWrite'))
        await bench.change(locked.uid, { lock: { owner: 'carol', created: '2031-01-01T00:00:00.000Z' } })
        const postTo = (user: string) => server.as(user).post(`/id/${locked.uid}`, aDocument())
        assertRefused(await postTo('bob'), 403, privilegeMissing('AddChildren', 'bob'))
        assert.equal((await postTo('carol')).status, 201)
        assert.equal((await postTo('Administrator')).status, 201)
      })
      test('sanitises, then lets listeners change the document, validates all of it, inserts, versions and tells, in that order', async () => {
        let note: Answered
        const events = await recorder.eventsOf(async () => {
          note = requireStatus(201, await post(aDocument({ type: 'Note', properties: { 'dc:title': 'so\u0000und' } })))
        })
        const names = events.map(({ name }) => name).filter((name) => name !== 'sessionSaved')
        assert.deepEqual(names, [
          'emptyDocumentModelCreated',
          'aboutToCreate',
          'aboutToCheckIn',
          'documentCheckedIn',
          'documentCreated',
          'documentCreated',
        ])
        assert.equal(readEvent(events, 'aboutToCreate').document.properties['dc:title'], 'sound')
        const created = events.findLast(({ name }) => name === 'documentCreated')
        assert.deepEqual([created?.document.id, created?.document.minorVersion], [note.uid, 1])
        assert.equal(created?.document.state, 'project')
      })
      test('stamps before it validates, and one property that is not valid stops it', async () => {
        const events = await recorder.eventsOf(async () => {
          const answer = await post(aDocument({ properties: { 'dc:description': 'x'.repeat(2001) } }))
          assert.equal(answer.status, 400)
        })
        assert.ok(readEvent(events, 'aboutToCreate'))
        assert.equal(
          events.some(({ name }) => name === 'documentCreated'),
          false,
        )
      })
      test('takes the name a listener gives it, made free', async () => {
        const properties = { 'dc:source': 'name:listened' }
        const [first, second] = [await createAs('Administrator', { properties }), await createAs('Administrator', { properties })]
        assert.equal(first.name, 'listened')
        assert.match(second.name, /^listened\.\d{13}$/)
        assert.equal((await bench.read(first.id)).path, `${folder.path}/listened`)
        const slashed = createAs('Administrator', { properties: { 'dc:source': 'name:a/b' } })
        await assertRefusal(slashed, 400, /slash/)
      })
      test('tells where the document goes, before and after', async () => {
        const events = await recorder.eventsOf(() => createAs('Administrator', { name: 'told' }))
        const told = {
          destinationRef: folder.uid,
          destinationPath: folder.path,
          destinationName: 'told',
          destinationExists: false,
        }
        assert.deepEqual(readEvent(events, 'aboutToCreate').properties, told)
        assert.deepEqual(readEvent(events, 'documentCreated').properties, told)
      })
    })

    describe('9 creating without a place', () => {
      before(fresh)
      const placeless = { parent: null, name: 'nowhere' }
      test('is for administrators: others get 403', async () => {
        await assertRefusal(createAs('bob', placeless), 403, /administrators/)
      })
      test('gives a document that its id finds and no folder lists, its bare name for a path', async () => {
        const { id } = await createAs('Administrator', placeless)
        const read = await bench.read(id)
        assert.deepEqual([read.path, read.parentRef, read.isVersion], ['nowhere', null, false])
        assert.equal((await server.as('Administrator').get('/path/nowhere')).status, 404)
        assertRefused(await server.as('bob').get(`/id/${id}`), 403, privilegeMissing('Read', 'bob'))
      })
      test('may be done again under the same name', async () => {
        const [one, other] = [await createAs('Administrator', placeless), await createAs('Administrator', placeless)]
        assert.deepEqual([one.name, other.name], ['nowhere', 'nowhere'])
      })
      test('with rights of its own lets those in that they name', async () => {
        const acls = [{ name: 'local', aces: [grant('bob', 'Read')] }]
        const { id } = await createAs('Administrator', { ...placeless, acls })
        assert.equal((await server.as('bob').get(`/id/${id}`)).status, 200)
        assert.equal((await server.as('carol').get(`/id/${id}`)).status, 403)
      })
      test('gives nothing that could have children: 400', async () => {
        const { id } = await createAs('Administrator', { ...placeless, type: 'Folder' })
        assertRefused(await server.as('Administrator').post(`/id/${id}`, aDocument()), 400, /no place in the tree/)
      })
      test('can be removed by its id', async () => {
        const { id } = await createAs('Administrator', placeless)
        assert.equal((await server.as('Administrator').delete(`/id/${id}`)).status, 204)
        assert.equal((await server.as('Administrator').get(`/id/${id}`)).status, 404)
      })
    })
  },
  { plugins: [recorder.plugin, naming] },
)
