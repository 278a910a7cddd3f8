import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { aGroup, createGroup, readGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

const computers = definePlugin({
  name: 'computers',
  groupComputers: [
    {
      name: 'night',
      groups: [{ name: 'night-shift', label: 'Night shift' }],
      groupsOf: (user) => (user.startsWith('night-') ? ['night-shift'] : []),
    },
  ],
})

onEachServer(
  'a group',
  (server) => {
    const admin = () => server.as('Administrator')

    test('of a new server is one of the three that it starts with', async () => {
      const { body } = await admin().get('/group/search?q=*')
      assert.deepEqual(
        body.entries.map((entry: { id: string; grouplabel: string }) => [entry.id, entry.grouplabel]),
        [
          ['administrators', 'Administrators group'],
          ['members', 'Members group'],
          ['powerusers', 'Power users group'],
        ],
      )
    })

    test('is shown with five fields, the name and label twice, and the rest among the properties', async () => {
      await createGroup(admin(), 'designers', { grouplabel: 'Design team', properties: { description: 'Studio people' } })
      const { status, body, headers } = await admin().get('/group/designers')
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/json; platform-entity=group')
      assert.deepEqual(body, {
        'entity-type': 'group',
        groupname: 'designers',
        grouplabel: 'Design team',
        id: 'designers',
        properties: { groupname: 'designers', grouplabel: 'Design team', description: 'Studio people', tenantId: null },
      })
    })

    test('shows members and parents to who fetches them, by parameter or header, and each for itself', async () => {
      await createGroup(admin(), 'interns')
      await createGroup(admin(), 'staff')
      await server.addUser('rivera')
      const links = { memberUsers: ['rivera'], memberGroups: ['interns'], parentGroups: ['staff'] }
      await createGroup(admin(), 'studio', { grouplabel: 'Studio', ...links })
      const { body: byParameter } = await admin().get('/group/studio?fetch.group=memberUsers,memberGroups,parentGroups')
      assert.equal(Object.keys(byParameter).length, 8)
      assert.deepEqual(byParameter, { ...(await admin().get('/group/studio')).body, ...links })
      const { body: byHeader } = await admin().get('/group/studio', { 'fetch-group': 'memberUsers,memberGroups' })
      assert.deepEqual([byHeader.memberUsers, byHeader.memberGroups, byHeader.parentGroups], [['rivera'], ['interns'], undefined])
      const { body: repeated } = await admin().get('/group/studio?fetch.group=parentGroups&fetch.group=memberUsers')
      assert.deepEqual([repeated.memberUsers, repeated.memberGroups, repeated.parentGroups], [['rivera'], undefined, ['staff']])
    })

    test('has empty lists where nobody is in it', async () => {
      await createGroup(admin(), 'lonely')
      const { memberUsers, memberGroups, parentGroups } = await readGroup(admin(), 'lonely')
      assert.deepEqual([memberUsers, memberGroups, parentGroups], [[], [], []])
    })

    test('that does not exist is not found, by whatever name', async () => {
      for (const name of ['nobody', 'Everyone', 'Administrator', 'Designers', '%00', 'a%2F..%2Fb', '%40x', 'x'.repeat(5000)]) {
        assertRefused(await admin().get(`/group/${name}`), 404, 'group does not exist')
      }
    })

    test('may have slashes in its name, which need not be encoded', async () => {
      await createGroup(admin(), 'north/east/team 1')
      for (const path of ['north/east/team%201', 'north%2Feast%2Fteam%201']) {
        assert.equal((await admin().get(`/group/${path}`)).body.id, 'north/east/team 1', path)
        assert.equal((await admin().get(`/group/${path}/@users`)).status, 200, path)
      }
      assert.equal((await admin().put('/group/north/east/team%201', aGroup('north/east/team 1'))).status, 200)
      assert.equal((await admin().delete('/group/north/east/team%201')).status, 204)
    })

    test('whose name holds signs that mean something in addresses or patterns is found by it', async () => {
      for (const name of ['50% off', 'a;b=c', 'a?b#c', 'ä_ö', '日本', "o'hara", 'back\\slash', 'x"y', 'user', 'a@b']) {
        await createGroup(admin(), name)
        assert.equal((await admin().get(`/group/${encodeURIComponent(name)}`)).body.id, name)
      }
    })

    test('is the same whatever repository the address names', async () => {
      const { status, body } = await admin().get('/repo/default/group/members')
      assert.deepEqual([status, body.id], [200, 'members'])
      assert.equal((await admin().get('/repo/nowhere/group/members')).status, 404)
    })

    test('that is computed resolves as a group, and cannot be changed', async () => {
      await server.addUser('night-owl')
      const owl = (await admin().get('/user/night-owl')).body
      assert.deepEqual(owl.extendedGroups, [{ name: 'night-shift', label: 'Night shift', url: 'group/night-shift' }])
      assert.deepEqual(await readGroup(admin(), 'night-shift'), {
        'entity-type': 'group',
        groupname: 'night-shift',
        grouplabel: 'Night shift',
        id: 'night-shift',
        properties: { groupname: 'night-shift', grouplabel: 'Night shift', description: null, tenantId: null },
        memberUsers: [],
        memberGroups: [],
        parentGroups: [],
      })
      assert.equal((await admin().get('/group/night-shift/@users')).body.resultsCount, 0)
      const refusal = "The group night-shift is computed by the server's configuration and cannot be changed here."
      assertRefused(await admin().put('/group/night-shift', aGroup('night-shift')), 409, refusal)
      assertRefused(await admin().delete('/group/night-shift'), 409, refusal)
      assertRefused(await admin().post('/group/night-shift/user/night-owl'), 409, refusal)
      assertRefused(await admin().post('/group', aGroup('night-shift')), 409, 'Group already exists')
    })

    test('that is computed can be a member of another, and is shown among its groups', async () => {
      await createGroup(admin(), 'all-shifts', { memberGroups: ['night-shift', 'gone'] })
      const { body } = await admin().get('/group/all-shifts/@groups')
      assert.deepEqual([body.resultsCount, body.entries.map(({ id }: { id: string }) => id)], [2, ['night-shift']])
      const owl = (await admin().get('/user/night-owl')).body
      assert.deepEqual(owl.extendedGroups.map(({ name }: { name: string }) => name).sort(), ['all-shifts', 'night-shift'])
    })

    test('answers only the methods that it has', async () => {
      const allowed = async (method: string, path: string) => {
        const { status, headers } = await admin().call(method, `api/v1${path}`)
        return [status, headers.get('allow')?.split(', ').sort().join(' ')]
      }
      assert.deepEqual(await allowed('POST', '/group/members'), [405, 'DELETE GET HEAD OPTIONS PUT'])
      assert.deepEqual(await allowed('PUT', '/group'), [405, 'GET HEAD OPTIONS POST'])
      assert.deepEqual(await allowed('GET', '/group/members/user/Administrator'), [405, 'DELETE OPTIONS POST'])
      assert.deepEqual(await allowed('POST', '/group/members/@users'), [405, 'GET HEAD OPTIONS'])
    })

    test('takes no adapter that is made for something else', async () => {
      assertRefused(
        await admin().get('/group/members/@children'),
        400,
        "Adapter 'children' cannot be applied to resource of type Group",
      )
      assertRefused(await admin().get('/group/members/@acl'), 400, "Adapter 'acl' cannot be applied to resource of type Group")
      assertRefused(await admin().get('/path/@users'), 400, "Adapter 'users' cannot be applied to resource of type Document")
      assertRefused(
        await admin().get('/group/members/@nothing'),
        404,
        'Service nothing not found for object: /group/members/@nothing of type Group',
      )
      assertRefused(await admin().get('/group/nobody/@nothing'), 404, 'group does not exist')
    })
  },
  { plugins: [computers] },
)
