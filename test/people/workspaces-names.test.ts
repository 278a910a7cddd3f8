import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { accessTo } from '../../src/core/access.ts'
import { userDirectory } from '../../src/core/directories/people.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { findUserWorkspace, getOrCreateUserWorkspace } from '../../src/features/user-workspaces/index.ts'
import type { Document } from '../../src/model/document.ts'
import { type Ace, grant } from '../../src/model/rights/acl.ts'
import { createPrincipal } from '../../src/model/rights/principal.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const { plugin: recorder, eventsOf } = createEventRecorder()
const virtual = definePlugin({
  name: 'virtual',
  virtualUsers: [{ name: 'vera', password: 'vera', groups: [], properties: { firstName: 'Vera', lastName: 'Virtual' } }],
})

const home = '/default-domain/UserWorkspaces'
const tailOf = (user: string) => hash('sha1', user).slice(0, 8)

onEachServer(
  'the place of a personal workspace',
  (server) => {
    const bench = workbenchOn(server)
    const open = (user: string) => server.inSession(user, (session) => getOrCreateUserWorkspace(session, server.services))
    const as = (name: string) => createPrincipal(name, [], { isAdministrator: false })
    const openAs = (name: string) => {
      const repository = server.services.repositories.get('default')
      assert.ok(repository)
      return accessTo(repository, as(name)).write((session) => getOrCreateUserWorkspace(session, server.services))
    }
    /** A workspace that was there before, with these entries of its own, made for the first that they name. */
    async function putWorkspace(name: string, ...aces: readonly Ace[]): Promise<Document> {
      const properties = { 'dc:creator': aces[0]?.username ?? null }
      await open('Administrator')
      return server.asSystem(async (session) => {
        const parent = await readDocumentByPath(session, home)
        return createDocument(session, { parent, type: 'Workspace', name, properties, acls: [{ name: 'local', aces }] })
      })
    }
    const nameUser = (user: string, names: { firstName?: string; lastName?: string }) =>
      server.services.directories.store.transact(async ({ directories }) => {
        const entry = await directories.find(userDirectory, user)
        assert.ok(entry)
        await directories.update(userDirectory, { ...entry, values: { ...entry.values, ...names } })
      })

    describe('by the name of today', () => {
      for (const [user, name] of [
        ['ann@x.org', 'ann~40x.org'],
        ['dom\\ben', 'dom~5cben'],
        ['who? me & you; ~', 'who~3f me ~26 you~3b ~7e'],
      ] as const) {
        test(`is ${name} for ${user}`, async () => {
          await server.addUser(user)
          assert.equal((await open(user)).path, `${home}/${name}`)
          const answer = await server.as(user).get(`/path${home}/${encodeURIComponent(name)}`)
          assert.equal(requireStatus(200, answer).path, `${home}/${name}`)
        })
      }
      test('is a piece of a digest where the name of the user leads elsewhere', async () => {
        assert.equal((await openAs('..')).name, tailOf('..'))
        assert.equal((await openAs('.')).name, tailOf('.'))
      })
      test('is cut where the name of the user is longer than a name may be', async () => {
        const user = `long-${'x'.repeat(300)}`
        assert.equal((await openAs(user)).name, user.slice(0, 24))
        assert.equal((await openAs(`${user}y`)).name, `${user.slice(0, 16)}${tailOf(`${user}y`)}`)
      })
    })

    describe('by an earlier name', () => {
      const user = (number: number) => `maximilian.mustermann-${number}@example.org`
      const former: readonly [what: string, name: (user: string) => string][] = [
        ['cut at the longest segment', () => 'maximilian-mustermann-1-'],
        ['cut there and with a tail', (who) => `maximilian-muste${tailOf(who)}`],
        ['cut at 30', () => 'maximilian-mustermann-3-exampl'],
        ['cut at 30 and with a tail', (who) => `maximilian-mustermann-${tailOf(who)}`],
      ]
      for (const [index, [what, name]] of former.entries()) {
        test(`${what} is found, and no other is made`, async () => {
          const who = user(index + 1)
          const old = await putWorkspace(name(who), grant(who, 'Everything'))
          const events = await eventsOf(async () => assert.equal((await openAs(who)).id, old.id))
          assert.deepEqual(events, [])
        })
      }
      test('is found for whoever asks', async () => {
        const old = await putWorkspace('otto-old-example-org', grant('otto.old@example.org', 'Everything'))
        await server.inSession('Administrator', async (session) => {
          assert.equal((await findUserWorkspace(session, 'otto.old@example.org'))?.id, old.id)
          assert.equal(await findUserWorkspace(session, 'nobody.yet@example.org'), undefined)
        })
      })
    })

    describe('that has the name and is of somebody else', () => {
      test('does not count: the user gets the next free name', async () => {
        const hers = await putWorkspace('pat-lee', grant('pat.lee', 'Everything'))
        assert.equal((await openAs('pat.lee')).id, hers.id)
        const his = await openAs('pat-lee')
        assert.equal(his.name, tailOf('pat-lee'))
        assert.equal((await openAs('pat-lee')).id, his.id)
        assert.equal((await openAs('pat.lee')).id, hers.id)
      })
      test('does not count with less than Everything, nor when that is over or denied', async () => {
        const over = { begin: null, end: '2020-01-01T00:00:00.000Z' }
        for (const [user, ace] of [
          ['reading', grant('reading', 'ReadWrite')],
          ['expired', grant('expired', 'Everything', over)],
          ['grouped', grant('members', 'Everything')],
        ] as const) {
          const other = await putWorkspace(user, ace)
          const own = await openAs(user)
          assert.notEqual(own.id, other.id)
          assert.equal(own.name, tailOf(user))
        }
      })
      test('does not count when that one grants everything in it to the user', async () => {
        for (const user of ['jo-doe', 'jo.doe']) await server.addUser(user, ['members'])
        const theirs = await open('jo-doe')
        const requireOwn = async () => {
          const opened = requireStatus(200, await server.as('jo.doe').post('/automation/User.GetUserWorkspace', {}))
          assert.equal(opened.path, `${home}/jo.doe`)
          assert.equal((await server.as('jo-doe').get(`/id/${opened.uid}`)).status, 403)
        }
        const shared = { input: theirs.id, params: { username: 'jo.doe', permission: 'Everything' } }
        requireStatus(200, await server.as('jo-doe').post('/automation/Document.AddPermission', shared))
        await requireOwn()
        assert.equal((await open('jo-doe')).id, theirs.id)
        const forged = { 'entity-type': 'document', properties: { 'dc:creator': 'jo.doe' } }
        requireStatus(200, await server.as('jo-doe').put(`/id/${theirs.id}`, forged))
        const given = { input: theirs.id, params: { user: 'jo.doe', permission: 'Everything' } }
        requireStatus(200, await server.as('jo-doe').post('/automation/Document.SetACE', given))
        await requireOwn()
      })
      test('does not count when it has the name that the user would have today', async () => {
        const hers = await putWorkspace('kim-ray', grant('kim.ray', 'Everything'), grant('kim-ray', 'Everything'))
        assert.notEqual((await openAs('kim-ray')).id, hers.id)
      })
      test('does not count under an earlier name with another who has everything there, or made for another', async () => {
        for (const [name, properties, aces] of [
          ['lu-ray', { 'dc:creator': 'lu.ray' }, [grant('lu.ray', 'Everything'), grant('mallory', 'Everything')]],
          ['lo-ray', { 'dc:creator': 'mallory' }, [grant('lo.ray', 'Everything')]],
        ] as const) {
          await server.asSystem(async (session) => {
            const parent = await readDocumentByPath(session, home)
            return createDocument(session, { parent, type: 'Workspace', name, properties, acls: [{ name: 'local', aces }] })
          })
          const user = name.replace('-', '.')
          assert.equal((await openAs(user)).name, user)
        }
      })
      test('is refused with 403 when no name is left, and nothing is made', async () => {
        await server.addUser('zed', ['members'])
        await putWorkspace('zed')
        await putWorkspace(tailOf('zed'))
        await assert.rejects(open('zed'), { code: 'noUserWorkspace', kind: 'forbidden' })
        const before = (await server.as('Administrator').get(`/path${home}/@children?pageSize=0`)).body.entries.length
        const search = {
          'entity-type': 'savedSearch',
          title: 'mine',
          query: 'SELECT * FROM Document',
          queryLanguage: 'NXQL',
        }
        const refused = requireStatus(403, await server.as('zed').post('/search/saved', search))
        assert.match(refused.message, /no personal workspace for 'zed': all names it could have belong to others/)
        assert.equal((await server.as('Administrator').get(`/path${home}/@children?pageSize=0`)).body.entries.length, before)
      })
    })

    describe('opened for the first time', () => {
      test('is told of once, with the name of the user', async () => {
        const events = await eventsOf(() => openAs('told'))
        const told = events.filter(({ name }) => name === 'userWorkspaceCreated')
        assert.deepEqual(
          told.map(({ category, properties, document }) => [category, properties, document.name]),
          [['eventDocumentCategory', { username: 'told' }, 'told']],
        )
      })
      test('by many at once is one', async () => {
        const opened = await Promise.all(Array.from({ length: 8 }, () => openAs('hasty')))
        assert.equal(new Set(opened.map(({ id }) => id)).size, 1)
      })
      for (const [user, names, title] of [
        ['full', { firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
        ['first', { firstName: 'Ada', lastName: ' ' }, 'Ada'],
        ['blank', { firstName: '', lastName: '' }, 'blank'],
      ] as const) {
        test(`is called '${title}' for ${user}`, async () => {
          await server.addUser(user)
          await nameUser(user, names)
          assert.equal((await open(user)).properties['dc:title'], title)
        })
      }
      test('has the name of a user that only the configuration knows', async () => {
        assert.equal((await openAs('vera')).properties['dc:title'], 'Vera Virtual')
      })
      test('belongs to its user, who made it, and is for nobody else', async () => {
        await server.addUser('own', ['members'])
        await server.addUser('other', ['members'])
        const { id } = await open('own')
        const shown = requireStatus(200, await server.as('own').get(`/id/${id}`, { properties: 'dublincore' }))
        assert.deepEqual([shown.type, shown.properties['dc:creator']], ['Workspace', 'own'])
        requireStatus(201, await server.as('own').post(`/id/${id}`, { 'entity-type': 'document', type: 'Note', name: 'n' }))
        assert.equal((await server.as('other').get(`/id/${id}`)).status, 403)
      })
    })

    describe('where the usual domain is gone', () => {
      test('is in the oldest domain that is not in the trash', async () => {
        const domain = async (name: string) => (await bench.create('Domain', {}, { parent: '/', name })).uid
        const oldest = await domain('c-domain')
        await domain('b-domain')
        await domain('a-domain')
        const { uid } = requireStatus(200, await server.as('Administrator').get('/path/default-domain'))
        await server.inSession('Administrator', (session) => trashDocument(session, uid))
        assert.equal((await openAs('mover')).path, '/c-domain/UserWorkspaces/mover')
        await server.inSession('Administrator', (session) => trashDocument(session, oldest))
        assert.equal((await openAs('mover')).path, '/b-domain/UserWorkspaces/mover')
      })
      test('is nowhere without any domain', async () => {
        for (const name of ['a-domain', 'b-domain']) {
          const { uid } = requireStatus(200, await server.as('Administrator').get(`/path/${name}`))
          await server.inSession('Administrator', (session) => trashDocument(session, uid))
        }
        await assert.rejects(openAs('mover'), { code: 'noUserWorkspace', kind: 'forbidden' })
      })
    })
  },
  { plugins: [recorder, virtual] },
)
