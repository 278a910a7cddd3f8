import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { untilIdle } from '../support/background.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { aGroup, createGroup, readGroup } from '../support/sent-groups.ts'
import { createServerEventRecorder } from '../support/server-event-recorder.ts'
import { onEachServer } from '../support/servers.ts'

const recorder = createServerEventRecorder()

onEachServer(
  'writing a group',
  (server) => {
    const admin = () => server.as('Administrator')
    const put = (id: string, fields: object) => admin().put(`/group/${id}`, { 'entity-type': 'group', ...fields })
    const labelOf = async (id: string) => (await readGroup(admin(), id)).grouplabel
    beforeEach(() => {
      recorder.take()
    })

    test('creates it with all that is sent, and answers with it', async () => {
      await createGroup(admin(), 'staff')
      await createGroup(admin(), 'interns')
      const sent = {
        'entity-type': 'group',
        id: 'designers',
        properties: { grouplabel: 'Design team', description: 'Studio people', tenantId: 'acme' },
        memberUsers: ['Administrator', 'unknown-user'],
        memberGroups: ['interns', 'unknown-group'],
        parentGroups: ['staff'],
      }
      const { status, body, headers } = await admin().post('/group?fetch.group=memberUsers,memberGroups,parentGroups', sent)
      assert.equal(status, 201)
      assert.equal(headers.get('content-type'), 'application/json; platform-entity=group')
      assert.deepEqual(body, {
        'entity-type': 'group',
        groupname: 'designers',
        grouplabel: 'Design team',
        id: 'designers',
        properties: { groupname: 'designers', grouplabel: 'Design team', description: 'Studio people', tenantId: 'acme' },
        memberUsers: ['Administrator', 'unknown-user'],
        memberGroups: ['interns', 'unknown-group'],
        parentGroups: ['staff'],
      })
      assert.deepEqual(await readGroup(admin(), 'designers'), body)
      assert.deepEqual((await readGroup(admin(), 'staff')).memberGroups, ['designers'])
      assert.deepEqual((await readGroup(admin(), 'interns')).parentGroups, ['designers'])
    })

    const names: readonly [rule: string, sent: object, name: string][] = [
      ['id', { id: 'by-id' }, 'by-id'],
      ['groupname', { groupname: 'by-groupname' }, 'by-groupname'],
      ['groupname rather than id', { id: 'not-this', groupname: 'rather-this' }, 'rather-this'],
      ['the property when nothing else is sent', { properties: { groupname: 'by-property' } }, 'by-property'],
      ['id whatever the property says', { id: 'by-id-2', properties: { groupname: 'ignored' } }, 'by-id-2'],
      ['id when groupname is blank', { id: 'by-id-3', groupname: ' ' }, 'by-id-3'],
      ['id without the blanks around it', { id: '  trimmed name ' }, 'trimmed name'],
    ]
    for (const [rule, sent, name] of names) {
      test(`takes the name of a new one from ${rule}`, async () => {
        const { status, body } = await admin().post('/group', { 'entity-type': 'group', ...sent })
        assert.equal(status, 201)
        assert.deepEqual([body.id, body.groupname, body.properties.groupname], [name, name, name])
        assert.equal((await admin().get(`/group/${encodeURIComponent(name)}`)).status, 200)
      })
    }

    test('refuses a new one without a name', async () => {
      for (const sent of [{}, { id: '' }, { id: '   ' }, { id: null }, { id: 12 }, { properties: {} }, { properties: null }]) {
        assertRefused(await admin().post('/group', { 'entity-type': 'group', ...sent }), 400, 'Group MUST have a name')
      }
    })

    test('refuses a name that is taken, and changes nothing of who has it', async () => {
      await createGroup(admin(), 'taken', { grouplabel: 'First', memberUsers: ['Administrator'] })
      const before = await readGroup(admin(), 'taken')
      assertRefused(
        await admin().post('/group', aGroup('taken', { grouplabel: 'Second', memberUsers: [] })),
        409,
        'Group already exists',
      )
      assert.deepEqual(await readGroup(admin(), 'taken'), before)
    })

    test('tells names apart by their case', async () => {
      await createGroup(admin(), 'Case')
      await createGroup(admin(), 'case')
      assert.equal((await readGroup(admin(), 'Case')).id, 'Case')
    })

    test('leaves what is not sent as it is', async () => {
      await createGroup(admin(), 'above')
      const links = { memberUsers: ['Administrator'], memberGroups: ['members'], parentGroups: ['above'] }
      await createGroup(admin(), 'kept', { grouplabel: 'Kept', properties: { description: 'd', tenantId: 't' }, ...links })
      const before = await readGroup(admin(), 'kept')
      for (const sent of [{}, { id: 'kept' }, { properties: {} }, { properties: null }, { memberUsers: null }]) {
        const { status } = await put('kept', sent)
        assert.equal(status, 200)
        assert.deepEqual(await readGroup(admin(), 'kept'), before)
      }
      await put('kept', { properties: { description: 'other' } })
      assert.deepEqual(await readGroup(admin(), 'kept'), {
        ...before,
        properties: { ...before.properties, description: 'other' },
      })
    })

    test('replaces each list that is sent, also by nothing, and in the order that is sent', async () => {
      await createGroup(admin(), 'lists', { memberUsers: ['b', 'a'], memberGroups: ['members'] })
      await put('lists', { memberUsers: ['c', 'a', 'd'] })
      const changed = await readGroup(admin(), 'lists')
      assert.deepEqual([changed.memberUsers, changed.memberGroups], [['c', 'a', 'd'], ['members']])
      await put('lists', { memberUsers: [], memberGroups: [] })
      const emptied = await readGroup(admin(), 'lists')
      assert.deepEqual([emptied.memberUsers, emptied.memberGroups], [[], []])
    })

    test('passes over what is no name in a list, and names that come twice', async () => {
      await createGroup(admin(), 'odd', { memberUsers: ['a', 1, null, ['b'], { id: 'c' }, '', ' ', 'a', 'd'] })
      assert.deepEqual((await readGroup(admin(), 'odd')).memberUsers, ['a', 'd'])
    })

    test('passes over members among the properties, whatever they are', async () => {
      const properties = { members: ['x'], subGroups: 'y', parentGroups: { z: 1 }, description: 'd' }
      await createGroup(admin(), 'inside', { properties })
      const { memberUsers, memberGroups, parentGroups, properties: shown } = await readGroup(admin(), 'inside')
      assert.deepEqual([memberUsers, memberGroups, parentGroups, shown.description], [[], [], [], 'd'])
    })

    test('passes over fields that a group does not have, as of a group that was read and is sent back', async () => {
      await createGroup(admin(), 'returned', { memberUsers: ['Administrator'] })
      const read = await readGroup(admin(), 'returned')
      const { status } = await admin().put('/group/returned', {
        ...read,
        selected: true,
        url: 'group/returned',
        contextParameters: {},
      })
      assert.equal(status, 200)
      assert.deepEqual(await readGroup(admin(), 'returned'), read)
    })

    test('changes the parents to those that are sent, and leaves their other groups in their order', async () => {
      for (const id of ['p1', 'p2', 'p3']) await createGroup(admin(), id, { memberGroups: ['one', 'two'] })
      await createGroup(admin(), 'child', { parentGroups: ['p1', 'p2'] })
      await put('child', { parentGroups: ['p2', 'p3'] })
      const membersOf = async (id: string) => (await readGroup(admin(), id)).memberGroups
      assert.deepEqual(await membersOf('p1'), ['one', 'two'])
      assert.deepEqual(await membersOf('p2'), ['one', 'two', 'child'])
      assert.deepEqual(await membersOf('p3'), ['one', 'two', 'child'])
      assert.deepEqual((await readGroup(admin(), 'child')).parentGroups, ['p2', 'p3'])
    })

    test('takes the label among the properties if that is a new one, else the one beside them', async () => {
      await createGroup(admin(), 'labelled', { grouplabel: 'Beside' })
      assert.equal(await labelOf('labelled'), 'Beside')
      await put('labelled', { grouplabel: 'Beside 2', properties: { grouplabel: 'Among' } })
      assert.equal(await labelOf('labelled'), 'Among')
      await put('labelled', { grouplabel: 'Beside 3', properties: { grouplabel: 'Among' } })
      assert.equal(await labelOf('labelled'), 'Beside 3')
      await put('labelled', { grouplabel: 'Beside 4' })
      assert.equal(await labelOf('labelled'), 'Beside 4')
      await put('labelled', { properties: { grouplabel: null } })
      assert.equal(await labelOf('labelled'), null)
      await createGroup(admin(), 'both', { grouplabel: 'Beside', properties: { grouplabel: 'Among' } })
      assert.equal(await labelOf('both'), 'Among')
    })

    test('never renames', async () => {
      await createGroup(admin(), 'fixed')
      await put('fixed', { id: 'fixed', properties: { groupname: 'other' } })
      assert.deepEqual((await readGroup(admin(), 'fixed')).properties.groupname, 'fixed')
      const refusal =
        'The body is about the group other, the address about fixed. A group cannot be renamed; send the same name or none.'
      for (const sent of [{ id: 'other' }, { groupname: 'other' }, { id: 'fixed', groupname: 'other' }]) {
        assertRefused(await put('fixed', sent), 400, refusal)
      }
      assert.equal((await put('fixed', { id: 'other', groupname: 'fixed' })).status, 200)
      assert.equal((await admin().get('/group/other')).status, 404)
    })

    test('answers a change with the group as it is then', async () => {
      await createGroup(admin(), 'answered')
      const sent = { grouplabel: 'New', memberUsers: ['Administrator'] }
      const { status, body } = await put('answered?fetch.group=memberUsers', sent)
      assert.deepEqual([status, body.grouplabel, body.memberUsers], [200, 'New', ['Administrator']])
      assert.deepEqual((await admin().get('/user/Administrator')).body.properties.groups.includes('answered'), true)
    })

    test('refuses what does not exist', async () => {
      assertRefused(await put('nobody', {}), 404, 'group does not exist')
      assertRefused(await admin().delete('/group/nobody'), 404, 'group does not exist')
    })

    test('deletes it from users and other groups, and leaves those that were in it', async () => {
      await server.addUser('member')
      await createGroup(admin(), 'inner', { memberUsers: ['member'] })
      await createGroup(admin(), 'outer')
      await createGroup(admin(), 'doomed', { memberUsers: ['member'], memberGroups: ['inner'], parentGroups: ['outer'] })
      const { status, text } = await admin().delete('/group/doomed')
      assert.deepEqual([status, text], [204, ''])
      assert.equal((await admin().get('/group/doomed')).status, 404)
      const { body: member } = await admin().get('/user/member')
      assert.deepEqual(member.properties.groups, ['inner'])
      assert.deepEqual(
        member.extendedGroups.map(({ name }: { name: string }) => name),
        ['inner'],
      )
      assert.deepEqual((await readGroup(admin(), 'outer')).memberGroups, [])
      assert.deepEqual((await readGroup(admin(), 'inner')).parentGroups, [])
      assert.equal((await admin().get('/group/search?q=doomed')).body.resultsCount, 0)
    })

    test('starts anew with a name that was deleted', async () => {
      await createGroup(admin(), 'phoenix', { grouplabel: 'Old', memberUsers: ['Administrator'], memberGroups: ['members'] })
      await admin().delete('/group/phoenix')
      // Until what the name was granted is taken away it is not given again.
      await untilIdle(server)
      await createGroup(admin(), 'phoenix')
      const { grouplabel, memberUsers, memberGroups } = await readGroup(admin(), 'phoenix')
      assert.deepEqual([grouplabel, memberUsers, memberGroups], [null, [], []])
    })

    test('is announced inside its transaction, with the id and who did it', async () => {
      await createGroup(admin(), 'told')
      await put('told', { grouplabel: 'x' })
      await admin().delete('/group/told')
      const [created] = recorder.events
      assert.deepEqual([created?.category, created?.principal.name], ['userGroup', 'Administrator'])
      assert.deepEqual(recorder.take(), ['group_created told', 'group_modified told', 'group_deleted told'])
      recorder.failOn('group_created')
      assert.equal((await admin().post('/group', aGroup('vetoed'))).status, 500)
      assert.equal((await admin().get('/group/vetoed')).status, 404)
    })

    test('is not announced when it is refused', async () => {
      await admin().post('/group', aGroup('members'))
      await put('members', { parentGroups: ['nobody'] })
      await server.as('Administrator').delete('/group/nobody')
      assert.deepEqual(recorder.take(), [])
    })
  },
  { plugins: [recorder.plugin] },
)
