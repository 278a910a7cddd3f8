import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { addGroup, assertRefused, aUser } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const enriching = definePlugin({
  name: 'enriching',
  enrichers: [
    { name: 'initials', entityType: 'user', enrich: async ({ user }) => ({ initials: user.name.slice(0, 2) }) },
    { name: 'size', entityType: 'user', enrich: async ({ user }) => ({ groups: user.groups.length }) },
    {
      name: 'broken',
      entityType: 'user',
      enrich: async () => {
        throw new Error('no luck')
      },
    },
  ],
})

const rivera = {
  'entity-type': 'user',
  id: 'rivera',
  properties: {
    username: 'rivera',
    firstName: 'Ana',
    lastName: 'Rivera',
    company: 'Acme',
    email: 'ana@acme.test',
    groups: ['designers', 'members'],
    tenantId: null,
  },
  extendedGroups: [
    { name: 'designers', label: 'Design team', url: 'group/designers' },
    { name: 'members', label: 'Members group', url: 'group/members' },
    { name: 'staff', label: 'staff', url: 'group/staff' },
  ],
  isAdministrator: false,
  isAnonymous: false,
}

onEachServer(
  'a user',
  (server) => {
    const administrator = () => server.as('Administrator')

    before(async () => {
      await addGroup(server, 'designers', { label: 'Design team' })
      await addGroup(server, 'staff', { groups: ['designers'] })
      const { username: _, tenantId: __, ...properties } = rivera.properties
      const created = await administrator().post('/user', aUser('rivera', { ...properties, password: 'rivera' }))
      assert.equal(created.status, 201, created.text)
    })

    test('2 is shown with its properties, its own groups among them, and all groups with their labels', async () => {
      const answer = await administrator().get('/user/rivera')
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /application\/json.*platform-entity=user/)
      assert.deepEqual(answer.body, rivera)
    })

    test('2 is shown with its fields in the order of the schema', async () => {
      const { body } = await administrator().get('/user/rivera')
      assert.deepEqual(Object.keys(body), Object.keys(rivera))
      assert.deepEqual(Object.keys(body.properties), Object.keys(rivera.properties))
    })

    test('2 that nobody told anything about shows null in every field', async () => {
      await administrator().post('/user', aUser('blank'))
      const { properties, extendedGroups } = (await administrator().get('/user/blank')).body
      const unknown = { firstName: null, lastName: null, company: null, email: null, tenantId: null }
      assert.deepEqual(properties, { username: 'blank', ...unknown, groups: [] })
      assert.deepEqual(extendedGroups, [])
    })

    test('3 can be read by every other', async () => {
      await server.addUser('anybody')
      assert.deepEqual((await server.as('anybody').get('/user/rivera')).body, rivera)
    })

    test('3 that does not exist is not found', async () => {
      assertRefused(await administrator().get('/user/nobody'), 404, 'user does not exist')
      assertRefused(await administrator().get('/user/RIVERA'), 404, 'user does not exist')
    })

    test('1 that is the server itself is never shown', async () => {
      assertRefused(await administrator().get('/user/system'), 404, 'user does not exist')
    })

    test('3 is the same for itself at /me, also with a slash at the end', async () => {
      assert.deepEqual((await server.as('rivera').get('/me')).body, rivera)
      assert.deepEqual((await server.as('rivera').get('/me/')).body, rivera)
    })

    test('2 has the names of all its groups where it checks its credentials', async () => {
      const answer = await server.as('rivera').post('/automation/login')
      const groups = ['designers', 'members', 'staff']
      assert.deepEqual(answer.body, { 'entity-type': 'login', username: 'rivera', isAdministrator: false, groups })
    })

    test('2 is told the same whatever body it checks its credentials with', async () => {
      const bodies: [contentType: string, body: string][] = [
        ['application/json', '{'],
        ['application/json', '[1]'],
        ['text/plain', 'hello'],
        ['application/x-www-form-urlencoded', 'a=b'],
        ['multipart/form-data; boundary=x', '--x\r\nnothing'],
        ['', 'x'.repeat(100_000)],
      ]
      for (const [contentType, body] of bodies) {
        const options = { headers: { 'content-type': contentType }, body }
        const answer = await server.as('rivera').call('POST', 'api/v1/automation/login', options)
        assert.deepEqual([answer.status, answer.body.username], [200, 'rivera'], contentType)
      }
    })

    test('2 that is the administrator says so', async () => {
      const { isAdministrator, properties, extendedGroups } = (await administrator().get('/me')).body
      assert.equal(isAdministrator, true)
      assert.deepEqual(properties.groups, ['administrators'])
      const label = 'Administrators group'
      assert.deepEqual(extendedGroups, [{ name: 'administrators', label, url: 'group/administrators' }])
    })

    test('3 is read the same below any repository, and refuses what it cannot do', async () => {
      assert.deepEqual((await administrator().get('/repo/default/user/rivera')).body, rivera)
      const refused = await administrator().call('POST', 'api/v1/user/rivera', {
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      assert.equal(refused.status, 405)
      assert.equal(refused.headers.get('allow'), 'HEAD, GET, PUT, DELETE, OPTIONS')
      assert.equal((await administrator().put('/user', aUser('rivera'))).status, 405)
    })

    describe('that something else refers to', () => {
      test('2 is shown in the same way in place of its name', async () => {
        const bench = workbenchOn(server)
        const { uid } = await bench.create('File', { 'dc:creator': 'rivera' })
        await bench.change(uid, { properties: { 'dc:creator': 'rivera', 'dc:contributors': ['user:rivera'] } })
        const { properties } = await bench.read(uid, { properties: 'dublincore', 'fetch-document': 'dc:creator,dc:contributors' })
        assert.deepEqual(properties['dc:creator'], rivera)
        assert.deepEqual(properties['dc:contributors'], [rivera])
      })
    })

    describe('with enrichers', () => {
      test('2 has what they add, asked for by header or parameter', async () => {
        const contextParameters = { initials: 'ri', groups: 3 }
        const byHeader = await administrator().get('/user/rivera', { 'enrichers.user': 'initials,size' })
        assert.deepEqual(byHeader.body, { ...rivera, contextParameters })
        const byParameter = await administrator().get('/user/rivera?enrichers.user=initials,size')
        assert.deepEqual(byParameter.body.contextParameters, contextParameters)
        const ofMe = await server.as('rivera').get('/me', { 'enrichers-user': 'initials' })
        assert.deepEqual(ofMe.body.contextParameters, { initials: 'ri' })
      })

      test('hears of the password that every server begins with, of its own alone', async () => {
        const header = { 'enrichers.user': 'hasDefaultPassword' }
        const own = await administrator().get('/me', header)
        assert.deepEqual(own.body.contextParameters, { hasDefaultPassword: true })
        for (const [who, path] of [
          ['rivera', '/me'],
          ['rivera', '/user/Administrator'],
          ['Administrator', '/user/rivera'],
        ] as const) {
          const { body } = await server.as(who).get(path, header)
          assert.deepEqual(body.contextParameters ?? {}, {}, `${who} ${path}`)
        }
      })
      test('2 loses only what one of them fails to add', async () => {
        const { body } = await administrator().get('/user/rivera', { 'enrichers.user': 'broken,initials' })
        assert.deepEqual(body.contextParameters, { initials: 'ri' })
      })

      test('2 has no place for them when nobody knows the name', async () => {
        assert.deepEqual((await administrator().get('/user/rivera', { 'enrichers.user': 'nosuch' })).body, rivera)
      })

      test('2 has them in every entry of a list', async () => {
        const { entries } = (await administrator().get('/user/search?q=rivera', { 'enrichers.user': 'initials' })).body
        assert.deepEqual(entries[0].contextParameters, { initials: 'ri' })
      })
    })
  },
  { plugins: [enriching] },
)

onEachServer(
  'a user that a property refers to, where references are shown without groups,',
  (server) => {
    test('2 is partial, and whole where it is asked for itself', async () => {
      const bench = workbenchOn(server)
      const { uid } = await bench.create('File')
      const { properties } = await bench.read(uid, { properties: 'dublincore', 'fetch-document': 'dc:creator' })
      const { isPartial, extendedGroups, isAdministrator, ...shown } = properties['dc:creator']
      assert.deepEqual(
        { isPartial, extendedGroups, isAdministrator },
        { isPartial: true, extendedGroups: [], isAdministrator: true },
      )
      assert.deepEqual(shown.properties.groups, [])
      const whole = (await server.as('Administrator').get('/user/Administrator')).body
      assert.ok(!('isPartial' in whole))
      assert.deepEqual(whole.properties.groups, ['administrators'])
      const [found] = (await server.as('Administrator').get('/user/search?q=Admin')).body.entries
      assert.deepEqual(found, whole)
    })
  },
  { settings: { usermanagerResolverFetchReferences: false } },
)
