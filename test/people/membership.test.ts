import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { DirectoryDefinition } from '../../src/core/directories/directory-definition.ts'
import { groupDirectory, userDirectory } from '../../src/core/directories/people.ts'
import { addMember, removeMember } from '../../src/features/people/membership/change-membership.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { createGroup, readGroup } from '../support/sent-groups.ts'
import { createServerEventRecorder } from '../support/server-event-recorder.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createServerEventRecorder()

/** The two ways to say the same. */
const routes: { readonly [name: string]: (user: string, group: string) => string } = {
  'the group route': (user, group) => `/group/${group}/user/${user}`,
  'the user route': (user, group) => `/user/${user}/group/${group}`,
}

onEachServer(
  'membership',
  (server) => {
    const admin = () => server.as('Administrator')
    const groupsOf = async (user: string) => (await admin().get(`/user/${user}`)).body.properties.groups
    const generation = () => server.services.directories.store.reader.directories.generation()

    before(async () => {
      await createGroup(admin(), 'crew', { grouplabel: 'Crew' })
      await createGroup(admin(), 'north/team')
      for (const name of ['ann', 'bob']) await server.addUser(name)
      await admin().post('/user', { 'entity-type': 'user', id: 'south/ann', properties: { username: 'south/ann' } })
    })
    beforeEach(() => {
      recorder.take()
    })

    for (const [route, pathOf] of Object.entries(routes)) {
      test(`begins over ${route}, answered with the user and its groups of now`, async () => {
        const { status, body, headers } = await admin().post(pathOf('ann', 'crew'))
        assert.equal(status, 201)
        assert.equal(headers.get('content-type'), 'application/json; platform-entity=user')
        assert.deepEqual(body, (await admin().get('/user/ann')).body)
        assert.deepEqual(body.properties.groups, ['crew'])
        assert.deepEqual(body.extendedGroups, [{ name: 'crew', label: 'Crew', url: 'group/crew' }])
        assert.deepEqual((await readGroup(admin(), 'crew')).memberUsers, ['ann'])
        assert.deepEqual(recorder.take(), ['user_modified ann'])
      })

      test(`that is there already stays over ${route}, and nothing is written`, async () => {
        const before = await generation()
        assert.equal((await admin().post(pathOf('ann', 'crew'))).status, 201)
        assert.deepEqual((await readGroup(admin(), 'crew')).memberUsers, ['ann'])
        assert.equal(await generation(), before)
        assert.deepEqual(recorder.take(), [])
      })

      test(`ends over ${route}, answered with the name of the user as text`, async () => {
        const { status, text, headers } = await admin().delete(pathOf('ann', 'crew'))
        assert.deepEqual([status, text], [200, 'ann'])
        assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
        assert.deepEqual(await groupsOf('ann'), [])
        assert.deepEqual(recorder.take(), ['user_modified ann'])
      })

      test(`that is not there stays away over ${route}, and nothing is written`, async () => {
        const before = await generation()
        const { status, text } = await admin().delete(pathOf('ann', 'crew'))
        assert.deepEqual([status, text], [200, 'ann'])
        assert.equal(await generation(), before)
        assert.deepEqual(recorder.take(), [])
      })

      test(`takes names with slashes over ${route}, encoded or not`, async () => {
        for (const encode of [(name: string) => name, encodeURIComponent]) {
          assert.equal((await admin().post(pathOf(encode('south/ann'), encode('north/team')))).status, 201)
          assert.deepEqual(await groupsOf('south%2Fann'), ['north/team'])
          assert.equal((await admin().delete(pathOf(encode('south/ann'), encode('north/team')))).text, 'south/ann')
          assert.deepEqual(await groupsOf('south%2Fann'), [])
        }
      })

      test(`does not mind what body is sent over ${route}`, async () => {
        for (const [body, type] of [
          ['{"entity-type":"nonsense"', 'application/json'],
          ['<x/>', 'application/xml'],
          ['x'.repeat(100_000), 'text/plain'],
        ] as const) {
          const answer = await admin().call('POST', `api/v1${pathOf('ann', 'crew')}`, { headers: { 'content-type': type }, body })
          assert.equal(answer.status, 201, type)
          assert.equal((await admin().delete(pathOf('ann', 'crew'))).status, 200)
        }
      })

      test(`of an unknown group is refused over ${route}`, async () => {
        for (const group of ['nobody', 'Everyone', 'ann', '%00']) {
          assertRefused(await admin().post(pathOf('ann', group)), 404, 'Group not found')
          assertRefused(await admin().delete(pathOf('ann', group)), 404, 'Group not found')
        }
      })
    }

    test('of an unknown user is refused with the words of each route', async () => {
      for (const user of ['nobody', 'crew', 'system', '%00']) {
        for (const method of ['post', 'delete'] as const) {
          assertRefused(await admin()[method](`/group/crew/user/${user}`), 404, 'User not found')
          assertRefused(await admin()[method](`/user/${user}/group/crew`), 404, 'user does not exist')
        }
      }
      assert.deepEqual((await readGroup(admin(), 'crew')).memberUsers, [])
    })

    test('of what both do not exist is refused for what the address names first', async () => {
      assertRefused(await admin().post('/group/no-group/user/no-user'), 404, 'Group not found')
      assertRefused(await admin().post('/user/no-user/group/no-group'), 404, 'user does not exist')
    })

    test('ends with the user, and leaves the other members', async () => {
      await admin().post('/group/crew/user/bob')
      await admin().post('/group/crew/user/ann')
      assert.equal((await admin().delete('/user/bob')).status, 204)
      assert.deepEqual((await readGroup(admin(), 'crew')).memberUsers, ['ann'])
      await admin().delete('/group/crew/user/ann')
      await server.addUser('bob')
    })

    test('comes behind the others in the group, and goes from between them', async () => {
      await createGroup(admin(), 'queue', { memberUsers: ['x', 'y'] })
      for (const user of ['bob', 'ann']) await admin().post(`/group/queue/user/${user}`)
      assert.deepEqual((await readGroup(admin(), 'queue')).memberUsers, ['x', 'y', 'bob', 'ann'])
      await admin().delete('/group/queue/user/bob')
      await admin().post('/group/queue/user/bob')
      assert.deepEqual((await readGroup(admin(), 'queue')).memberUsers, ['x', 'y', 'ann', 'bob'])
      await admin().delete('/group/queue')
    })

    test('takes effect with the next request of the user', async () => {
      const isMember = async () => (await server.as('bob').get('/me')).body.isAdministrator
      assert.equal(await isMember(), false)
      await admin().post('/group/administrators/user/bob')
      assert.equal(await isMember(), true)
      await admin().delete('/user/bob/group/administrators')
      assert.equal(await isMember(), false)
    })

    test('is explained to administrators: which groups, and through which others', async () => {
      await createGroup(admin(), 'fleet', { grouplabel: 'Fleet' })
      await admin().put('/group/fleet', { 'entity-type': 'group', id: 'fleet', memberGroups: ['crew'] })
      await admin().post('/group/crew/user/ann')
      const { status, body } = await admin().get('/management/memberships?user=ann')
      assert.equal(status, 200)
      assert.deepEqual(body.entries, [
        { group: 'crew', label: 'Crew', reason: 'listed', through: [] },
        ...body.entries.filter(({ reason }: { reason: string }) => reason === 'configured'),
        { group: 'fleet', label: 'Fleet', reason: 'nested', through: ['crew'] },
      ])
      const { extendedGroups } = (await admin().get('/user/ann')).body
      const names = (groups: readonly { name?: string; group?: string }[]) =>
        groups.map(({ name, group }) => name ?? group).sort()
      assert.deepEqual(names(body.entries), names(extendedGroups))
      assert.equal((await admin().get('/management/memberships?user=nobody')).status, 404)
      assert.equal((await server.as('bob').get('/management/memberships?user=bob')).status, 403)
      await admin().delete('/user/ann/group/crew')
      await admin().delete('/group/fleet')
      recorder.take()
    })

    test('is undone when a listener refuses it', async () => {
      recorder.failOn('user_modified')
      assert.equal((await admin().post('/group/crew/user/ann')).status, 500)
      assert.deepEqual(await groupsOf('ann'), [])
    })

    test('is written to the group where users are read-only, and to neither where both are', async () => {
      const definitions = server.services.directories.definitions as Map<string, DirectoryDefinition>
      const readOnly = (name: string, isReadOnly: boolean) => {
        const definition = definitions.get(name)
        assert.ok(definition)
        definitions.set(name, { ...definition, readOnly: isReadOnly })
      }
      const change = (verb: typeof addMember) =>
        server.inSession('Administrator', (session) => verb(session, server.services, 'ann', 'crew'))
      readOnly(userDirectory, true)
      try {
        await change(addMember)
        assert.deepEqual(recorder.take(), ['group_modified crew'])
        assert.deepEqual(await groupsOf('ann'), ['crew'])
        readOnly(groupDirectory, true)
        assertRefused(await admin().delete('/group/crew/user/ann'), 403, 'Directory is read-only')
        assertRefused(await admin().put('/group/crew', { 'entity-type': 'group' }), 403, 'Directory is read-only')
        assertRefused(await admin().post('/group', { 'entity-type': 'group', id: 'new' }), 403, 'Directory is read-only')
        assertRefused(await admin().delete('/group/crew'), 403, 'Directory is read-only')
        assert.deepEqual(await groupsOf('ann'), ['crew'])
        readOnly(groupDirectory, false)
        await change(removeMember)
        assert.deepEqual(recorder.take(), ['group_modified crew'])
      } finally {
        readOnly(userDirectory, false)
        readOnly(groupDirectory, false)
      }
    })
  },
  { plugins: [recorder.plugin] },
)
