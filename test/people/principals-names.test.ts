import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aChange, assertRefused, aUser } from '../support/accounts.ts'
import { aGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

/** Names that mean something to addresses, patterns or programs, and nothing here. */
const oddNames = [
  ...['a/', '/a', '/', '//', 'a//b', 'x/group/y', 'x/user/y', 'group', 'user', 'group/x', 'a/group'],
  ...['a;b', ';', 'a?b', 'a#b', 'a%2Fb', '%', '%00', 'a b', 'a+b', '&=', "a'b", 'a"b', 'a\\b', '...', '{}', '[]', '$&', '*'],
  ...['constructor', '__proto__', 'toString', 'null', 'undefined', '0', '-1', 'true', 'me', 'Search'],
  ...['😀', '👩\u200d💻', '❤\ufe0f', 'İstanbul', 'ß', 'ﬃ', 'Ren\u00e9'],
]

const unseen = 'holds characters that cannot be seen. Leave them out.'

/** Each looks like another, or means somebody else. */
const refusedNames: readonly (readonly [what: string, name: string, reason: string])[] = [
  ['with a zero-width space', 'rulers\u200b', unseen],
  ['with a joiner that joins nothing', 'rul\u200ders', unseen],
  ['with a mark of direction', 'rulers\u200e', unseen],
  ['with a filler', 'rulers\u3164', unseen],
  ['with a soft hyphen', 'ru\u00adlers', unseen],
  ['with a variation selector', 'rulers\ufe0f', unseen],
  ['with a tag', 'rulers\u{e0041}', unseen],
  [
    'with an accent beside its letter',
    'Rene\u0301',
    'is not in Unicode normal form C, in which a text is written in one way only. Send it so.',
  ],
  ['that is an address', 'search', 'is where users and groups are searched. Choose another name.'],
  ['of the server', 'system', 'is the server itself. Choose another name.'],
  ['of all', 'Everyone', 'stands for all users. Choose another name.'],
  [
    'that begins like those of invited people',
    'transient/of-nobody',
    'is that of somebody without an account. Choose another name.',
  ],
  ...['user:ann', 'group:staff', 'user:'].map(
    (name) =>
      [
        `${name}, which refers to another`,
        name,
        'begins with user: or group:, which only says what a name is of. Leave that out.',
      ] as const,
  ),
]

onEachServer('the name', (server) => {
  const admin = () => server.as('Administrator')

  describe('that is refused to users and groups alike:', () => {
    for (const [what, name, reason] of refusedNames) {
      test(what, async () => {
        const shown = JSON.stringify(name)
        assertRefused(await admin().post('/user', aUser(name)), 400, `The user name: ${shown} ${reason}`)
        assertRefused(await admin().post('/group', aGroup(name)), 400, `The group name: ${shown} ${reason}`)
      })
    }
  })

  test('of an invited person is no name of a group, whose members would have what that person was granted', async () => {
    await server.addUser('paul', ['powerusers'])
    for (const caller of [admin(), server.as('paul')]) {
      const sent = aGroup('transient/ann@x.org', { memberUsers: ['paul'] })
      assertRefused(await caller.post('/group', sent), 400, /is that of somebody without an account/)
    }
  })

  test('of a user leads to it wherever it stands, whatever characters it has', async () => {
    for (const name of oddNames) {
      const address = encodeURIComponent(name)
      const created = await admin().post('/user', aUser(name))
      assert.deepEqual([created.status, created.body.id], [201, name], created.text)
      assert.equal((await admin().get(`/user/${address}`)).body.id, name)
      assert.equal((await admin().put(`/user/${address}`, aChange({ firstName: 'Eva' }))).body.id, name)
      assert.equal((await admin().post(`/user/${address}/group/members`)).status, 201, name)
      assert.deepEqual((await admin().post(`/group/members/user/${address}`)).body.properties.groups, ['members'], name)
      const { body } = await admin().get('/group/members/@users')
      assert.deepEqual([body.entries.length, body.entries[0].id], [1, name])
      assert.equal((await admin().delete(`/user/${address}/group/members`)).text, name)
      assert.equal((await admin().delete(`/user/${address}`)).status, 204, name)
    }
  })

  test('of a group leads to it wherever it stands, whatever characters it has', async () => {
    for (const name of oddNames) {
      const address = encodeURIComponent(name)
      const created = await admin().post('/group', aGroup(name))
      assert.deepEqual([created.status, created.body.id], [201, name], created.text)
      assert.equal((await admin().get(`/group/${address}`)).body.id, name)
      assert.equal((await admin().put(`/group/${address}`, { 'entity-type': 'group', grouplabel: 'Odd' })).body.id, name)
      assert.equal((await admin().post(`/group/${address}/user/Administrator`)).status, 201, name)
      assert.equal((await admin().post(`/user/Administrator/group/${address}`)).status, 201, name)
      assert.equal((await admin().get(`/group/${address}/@users`)).body.entries[0].id, 'Administrator', name)
      assert.equal((await admin().delete(`/group/${address}/user/Administrator`)).text, 'Administrator', name)
      assert.equal((await admin().delete(`/group/${address}`)).status, 204, name)
    }
  })

  test('of another that is sent is repeated only in part', async () => {
    const long = 'x'.repeat(1_000_000)
    const renamed = await admin().put('/group/members', aGroup(long))
    assertRefused(renamed, 400, /^The body is about the group x{100}, the address about members\./)
    const property = await admin().put('/group/members', aGroup('members', { properties: { [long]: 'x' } }))
    assertRefused(property, 400, /^A group has no property x{100}\. It has/)
  })
})
