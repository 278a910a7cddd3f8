import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { AnswerBody } from '../../src/testing.ts'
import { aChange, addGroup, assertRefused, aUser, callWith, statusOfSignIn } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

let isNight = false
const configured = definePlugin({
  name: 'configured',
  virtualUsers: [
    { name: 'robot', password: 'beep', groups: ['crew'], properties: { firstName: 'Ro', lastName: 'Bot', email: 'robot@x.org' } },
    { name: 'root', password: 'toor', groups: ['administrators'] },
    { name: 'mute', password: '', groups: [] },
  ],
  groupComputers: [
    {
      name: 'night',
      groups: [{ name: 'night-shift', label: 'Night shift' }],
      groupsOf: (user) => (isNight || user.startsWith('night-') ? ['night-shift'] : []),
    },
    { name: 'chiefs', groups: [], groupsOf: (user) => (user === 'promoted' ? ['administrators'] : []) },
  ],
})

onEachServer(
  'who the configuration makes known:',
  (server) => {
    const administrator = () => server.as('Administrator')
    const userOf = async (name: string) => (await administrator().get(`/user/${name}`)).body
    const groupsOf = async (name: string) => (await userOf(name)).extendedGroups.map((group: { name: string }) => group.name)

    before(async () => {
      await addGroup(server, 'crew', { label: 'Crew' })
      await addGroup(server, 'house', { label: 'The house', groups: ['crew', 'everybody', 'night-shift'] })
      await server.addUser('plain')
    })

    describe('1 a default group', () => {
      test('has every user without listing it, and so have the groups above it', async () => {
        assert.deepEqual(await groupsOf('plain'), ['everybody', 'house'])
        assert.deepEqual((await userOf('plain')).properties.groups, [])
      })

      test('goes by its name where it is no stored group', async () => {
        const [group] = (await userOf('plain')).extendedGroups
        assert.deepEqual(group, { name: 'everybody', label: 'everybody', url: 'group/everybody' })
      })

      test('gives its rights', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('everybody', 'Read'))
        assert.equal((await server.as('plain').get(`/id/${uid}`)).status, 200)
      })
    })

    describe('1 a default administrator', () => {
      test('belongs to all administrators groups without being listed', async () => {
        await server.addUser('chosen')
        const { isAdministrator, properties } = await userOf('chosen')
        assert.deepEqual([isAdministrator, properties.groups], [true, []])
        assert.deepEqual(await groupsOf('chosen'), ['everybody', 'administrators', 'rulers', 'house'])
        assert.equal((await server.as('chosen').post('/user', aUser('by-chosen'))).status, 201)
      })
    })

    describe('1 another administrators group', () => {
      test('makes administrators, also through groups inside it', async () => {
        await addGroup(server, 'rulers', { users: ['ruler'], groups: ['regents'] })
        await addGroup(server, 'regents', { users: ['regent'] })
        for (const name of ['ruler', 'regent']) {
          await server.addUser(name)
          assert.equal((await userOf(name)).isAdministrator, true)
          const { body } = await server.as(name).post('/automation/login')
          assert.equal(body.isAdministrator, true)
        }
      })
    })

    describe('1 an anonymous user', () => {
      const guest = {
        'entity-type': 'user',
        id: 'Visitor',
        properties: {
          username: 'Visitor',
          firstName: 'Visitor',
          lastName: 'User',
          company: null,
          email: null,
          groups: [],
          tenantId: null,
        },
        extendedGroups: [],
        isAdministrator: false,
        isAnonymous: true,
      }

      test('is shown as such, without the default group', async () => {
        assert.deepEqual(await userOf('Visitor'), guest)
      })

      test('cannot sign in, whatever the password', async () => {
        for (const password of ['Visitor', 'null', ' ']) assert.equal(await statusOfSignIn(server, 'Visitor', password), 401)
      })

      test('is not let in where no credentials are sent', async () => {
        const { status } = await administrator().call('GET', 'api/v1/me', { headers: { authorization: '' } })
        assert.equal(status, 401)
      })

      test('cannot be made, changed or deleted', async () => {
        assertRefused(await administrator().post('/user', aUser('Visitor')), 409, 'User already exists')
        const refusal = 'The user Visitor is in no directory and cannot be changed here.'
        assertRefused(await administrator().put('/user/Visitor', aChange({ password: 'x' })), 409, refusal)
        assertRefused(await administrator().delete('/user/Visitor'), 409, refusal)
        assertRefused(await server.as('plain').delete('/user/Visitor'), 403, 'User is not allowed to edit users')
      })

      test('has the groups that list it, and is no administrator even so', async () => {
        await addGroup(server, 'guests', { users: ['Visitor'] })
        await server.asSystem(({ tx }) => tx.directories.addTarget('subGroups', 'rulers', 'guests'))
        const { properties, isAdministrator } = await userOf('Visitor')
        assert.deepEqual([properties.groups, isAdministrator], [['guests'], false])
      })
    })

    describe('1 a virtual user', () => {
      test('is shown with what the configuration tells, and with the groups above its own', async () => {
        const { properties, isAdministrator, isAnonymous } = await userOf('robot')
        const told = { username: 'robot', firstName: 'Ro', lastName: 'Bot', email: 'robot@x.org', groups: ['crew'] }
        assert.deepEqual(properties, { ...told, company: null, tenantId: null })
        assert.deepEqual([isAdministrator, isAnonymous], [false, false])
        assert.deepEqual(await groupsOf('robot'), ['crew', 'house', 'everybody'])
      })

      test('signs in with its password, and with no other', async () => {
        assert.equal(await statusOfSignIn(server, 'robot', 'beep'), 200)
        assert.equal(await statusOfSignIn(server, 'robot', 'beep'), 200)
        assert.equal(await statusOfSignIn(server, 'robot', 'boop'), 401)
        assert.equal((await callWith(server, 'root', 'toor', 'GET', '/me')).body.isAdministrator, true)
      })

      test('without a password signs in with none', async () => {
        for (const password of ['', 'mute', 'null']) assert.equal(await statusOfSignIn(server, 'mute', password), 401)
        assert.equal(await server.services.principals.authenticate('mute', ''), undefined)
      })

      test('is in no directory: no search finds it and nobody changes it', async () => {
        assert.equal((await administrator().get('/user/search?q=robot')).body.resultsCount, 0)
        assertRefused(await administrator().post('/user', aUser('robot')), 409, 'User already exists')
        assertRefused(await administrator().put('/user/robot', aChange({ firstName: 'X' })), 409, /in no directory/)
        assertRefused(await administrator().delete('/user/robot'), 409, /in no directory/)
        const own = await callWith(server, 'robot', 'beep', 'PUT', '/me/changepassword', {
          oldPassword: 'beep',
          newPassword: 'x',
        })
        assertRefused(own, 409, /in no directory/)
      })

      test('comes before a stored one of the same name', async () => {
        await server.addUser('robot')
        assert.equal((await userOf('robot')).properties.firstName, 'Ro')
        assert.equal(await statusOfSignIn(server, 'robot', 'robot'), 401)
        await server.asSystem(({ tx }) => tx.directories.remove('userDirectory', 'robot'))
      })

      test('is what a property refers to by its name', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File')
        await bench.change(uid, { properties: { 'dc:creator': 'robot', 'dc:lastContributor': 'transient/ann@x.org' } })
        const fetched = await bench.read(uid, { properties: 'dublincore', 'fetch-document': 'dc:creator,dc:lastContributor' })
        assert.equal(fetched.properties['dc:creator'].properties.firstName, 'Ro')
        assert.equal(fetched.properties['dc:lastContributor'].properties.email, 'ann@x.org')
      })
    })

    describe('3.5 the groups of somebody', () => {
      const explained = async (name: string) =>
        (await administrator().get(`/management/memberships?user=${encodeURIComponent(name)}`)).body.entries as AnswerBody[]

      test('are explained whether they are listed, declared, computed or had by default, and no others are', async () => {
        await addGroup(server, 'visitors', { users: ['Visitor', 'robot', 'owl-night'] })
        for (const name of ['owl-night', 'night-watch']) await server.addUser(name)
        for (const name of ['owl-night', 'night-watch', 'robot', 'root', 'Visitor', 'transient/ann@x.org']) {
          const groups = (await explained(name)).map(({ group }) => group)
          assert.deepEqual(groups.toSorted(), (await groupsOf(encodeURIComponent(name))).toSorted(), name)
        }
      })

      test('are told as what gives them', async () => {
        assert.deepEqual(await explained('robot'), [
          { group: 'crew', label: 'Crew', reason: 'configured', through: [] },
          { group: 'everybody', label: 'everybody', reason: 'configured', through: [] },
          { group: 'house', label: 'The house', reason: 'nested', through: ['crew'] },
        ])
        const [night] = (await explained('night-watch')).filter(({ group }) => group === 'night-shift')
        assert.deepEqual(night, { group: 'night-shift', label: 'Night shift', reason: 'configured', through: [] })
        assert.deepEqual(await explained('transient/ann@x.org'), [])
      })

      test('are explained to administrators alone, whatever else is wrong with what others ask', async () => {
        for (const query of ['', '?user=plain', '?user=nobody'])
          assert.equal((await server.as('plain').get(`/management/memberships${query}`)).status, 403, query)
        assert.equal((await administrator().get('/management/memberships')).status, 400)
        assert.equal((await administrator().get('/management/memberships?user=nobody')).status, 404)
      })
    })

    describe('adapters 3.4 the report of who has a permission', () => {
      const readersOf = async (uid: string, pageSize: number) => {
        const names: string[] = []
        for (let page = 0; ; page += 1) {
          const query = `document=${uid}&pageSize=${pageSize}&currentPageIndex=${page}`
          const { body } = await administrator().get(`/management/permissions/people?${query}`)
          names.push(...body.entries.map(({ name }: AnswerBody) => name))
          if ((page + 1) * pageSize >= body.resultsCount) return names
        }
      }

      for (const group of ['everybody', 'house'])
        test(`has those in no directory beside ${group}: guests, virtual users and the anonymous one`, async () => {
          const bench = workbenchOn(server)
          const { uid } = await bench.create('File')
          const guest = 'transient/ann@x.org'
          const own = [
            grant(guest, 'Read'),
            grant('Visitor', 'Read'),
            grant(group, 'Read'),
            grant('transient/bob@x.org', 'Browse'),
          ]
          await bench.restrict(uid, ...own)
          for (const pageSize of [2, 200]) {
            const names = await readersOf(uid, pageSize)
            assert.equal(new Set(names).size, names.length)
            for (const name of [guest, 'Visitor', 'robot', 'root', 'mute', 'plain', 'Administrator'])
              assert.ok(names.includes(name), name)
            assert.ok(!names.includes('transient/bob@x.org'))
          }
        })

      test('leaves out those of them whom no entry concerns', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('crew', 'Read'))
        const names = await readersOf(uid, 3)
        assert.deepEqual(
          ['robot', 'root', 'mute', 'Visitor', 'plain'].filter((name) => names.includes(name)),
          ['robot', 'root'],
        )
      })
    })

    describe('adapters 3.4 the report on groups of the configuration', () => {
      test('knows them and what they are in, with or without an entry, and that administrators may do everything', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File')
        const groups = ['everybody', 'night-shift', 'administrators', 'rulers']
        await bench.restrict(uid, ...groups.map((group) => grant(group, 'Browse')), grant('house', 'Read'))
        const holders = async (permission: string) => {
          const path = `/management/permissions/named?document=${uid}&permission=${permission}`
          const { entries } = (await administrator().get(path)).body
          return entries.map(({ name, kind, label, isGranted }: AnswerBody) => [name, kind, label, isGranted])
        }
        const shown = (isReader: boolean) => [
          ['everybody', 'group', 'everybody', isReader],
          ['night-shift', 'group', 'Night shift', isReader],
          ['administrators', 'group', 'Administrators group', true],
          ['rulers', 'group', 'rulers', true],
          ['house', 'group', 'The house', isReader],
          ['Everyone', 'everyone', 'Everyone', false],
        ]
        assert.deepEqual(await holders('Read'), shown(true))
        assert.deepEqual(await holders('Write'), shown(false))
        for (const name of ['everybody', 'night-shift']) {
          const { status, body } = await administrator().get(`/management/permissions/places?name=${name}`)
          assert.deepEqual([status, body.kind, body.names.toSorted()], [200, 'group', ['Everyone', 'house', name].toSorted()])
        }
      })
    })

    describe('1 a computed group', () => {
      test('is one of the user, with its label and the groups above it', async () => {
        await server.addUser('night-owl')
        const { extendedGroups, properties } = await userOf('night-owl')
        assert.deepEqual(extendedGroups, [
          { name: 'everybody', label: 'everybody', url: 'group/everybody' },
          { name: 'night-shift', label: 'Night shift', url: 'group/night-shift' },
          { name: 'house', label: 'The house', url: 'group/house' },
        ])
        assert.deepEqual(properties.groups, [])
      })

      test('is had as long as it is computed, from one request to the next', async () => {
        await server.addUser('sleeper')
        assert.ok(!(await groupsOf('sleeper')).includes('night-shift'))
        isNight = true
        assert.ok((await groupsOf('sleeper')).includes('night-shift'))
        assert.ok((await server.as('sleeper').post('/automation/login')).body.groups.includes('night-shift'))
        isNight = false
        assert.ok(!(await server.as('sleeper').post('/automation/login')).body.groups.includes('night-shift'))
      })

      test('gives its rights and makes administrators', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('night-shift', 'Read'))
        assert.equal((await server.as('night-owl').get(`/id/${uid}`)).status, 200)
        await server.addUser('promoted')
        assert.equal((await userOf('promoted')).isAdministrator, true)
      })

      test('resolves as a group', async () => {
        const { status, body } = await administrator().get('/group/night-shift')
        assert.deepEqual([status, body.id, body.grouplabel], [200, 'night-shift', 'Night shift'])
      })

      test('may be sent back among the groups of a user, and lists nobody', async () => {
        const { status, body } = await administrator().put('/user/plain', aChange({ groups: ['crew', 'night-shift'] }))
        assert.deepEqual([status, body.properties.groups], [200, ['crew']])
        await administrator().put('/user/plain', aChange({ groups: [] }))
      })
    })
  },
  {
    plugins: [configured],
    settings: {
      defaultGroup: 'everybody',
      administratorsGroups: ['rulers'],
      defaultAdministrators: ['Administrator', 'chosen'],
      userAnonymousEnable: true,
      anonymousUser: 'Visitor',
    },
  },
)
