import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { assertRefused } from '../support/sent-documents.ts'
import { aGroup, createGroup, readGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('bad input about groups', (server) => {
  const admin = () => server.as('Administrator')
  const state = async () => {
    const { body } = await admin().get('/group/search?q=*&pageSize=0&fetch.group=memberUsers,memberGroups,parentGroups')
    return body.entries
  }
  const send = (path: string, body: string | object, headers?: { [name: string]: string }) => admin().post(path, body, headers)
  let before: unknown

  beforeEach(async () => {
    before = await state()
  })
  afterEach(async () => assert.deepEqual(await state(), before, 'something was stored'))

  test('is refused when it is no group', async () => {
    const bodies: readonly [body: string | object, message: string | RegExp][] = [
      ['', 'Json does not contain an object as expected'],
      ['null', 'Json does not contain an object as expected'],
      ['[]', 'Json does not contain an object as expected'],
      ['"group"', 'Json does not contain an object as expected'],
      ['{"entity-type":"group"', /^The request body is not valid JSON/],
      ['{"entity-type":"group","id":"x","__proto__":{}}', /__proto__/],
      [`${'['.repeat(1000)}`, /^The request body is not valid JSON/],
      [{ id: 'x' }, 'Json object does not contain an entity-type field as expected'],
      [{ 'entity-type': 'user', id: 'x' }, 'Json object entity-type is wrong. Expected is group but was user'],
      [{ 'entity-type': 'groups', id: 'x' }, 'Json object entity-type is wrong. Expected is group but was groups'],
    ]
    for (const [body, message] of bodies) {
      assertRefused(await send('/group', body), 400, message)
      assertRefused(await admin().put('/group/members', body), 400, message)
    }
  })

  test('is refused when a field has the wrong type', async () => {
    const fields: readonly [field: object, message: string][] = [
      [{ properties: [] }, 'Unable to deserialize property: properties'],
      [{ properties: 'x' }, 'Unable to deserialize property: properties'],
      [{ properties: { description: {} } }, 'Unable to deserialize property: description'],
      [{ properties: { grouplabel: ['a'] } }, 'Unable to deserialize property: grouplabel'],
      [{ grouplabel: {} }, 'Unable to deserialize property: grouplabel'],
      [{ grouplabel: 5 }, 'Unable to deserialize property: grouplabel'],
      [{ memberUsers: 'ann' }, 'memberUsers must be a list of names.'],
      [{ memberGroups: { 0: 'a' } }, 'memberGroups must be a list of names.'],
      [{ parentGroups: 1 }, 'parentGroups must be a list of names.'],
      [
        { properties: { colour: 'red' } },
        'A group has no property colour. It has groupname, grouplabel, description, tenantId; members and parents stand beside properties.',
      ],
    ]
    for (const [field, message] of fields) {
      assertRefused(await send('/group', aGroup('wrong', field)), 400, message)
      assertRefused(await admin().put('/group/members', aGroup('members', field)), 400, message)
    }
  })

  test('is refused when a name cannot be addressed or stored', async () => {
    const names: readonly [name: string, message: string | RegExp][] = [
      ['..', 'The group name: ".." holds a step . or .. that no address can hold. Leave it out.'],
      ['.', /holds a step/],
      ['a/../b', /holds a step/],
      ['@users', 'The group name: "@users" holds a step that begins with @, which addresses an adapter. Leave it out.'],
      ['a/@users', /begins with @/],
      ['tab\there', 'The group name: "tab\ufffdhere" holds a control character. Leave it out.'],
      ['nul\0', /control character/],
      ['a\u0085b', /control character/],
      ['half \ud800', /control character/],
      ['Everyone', 'The group name: "Everyone" stands for all users. Choose another name.'],
      ['x'.repeat(401), /^The group name: "x{40}…" has 401 characters\. Use at most 400\.$/],
      ['x'.repeat(1_000_000), /has 1000000 characters/],
    ]
    for (const [name, message] of names) assertRefused(await send('/group', aGroup(name)), 400, message)
  })

  test('is refused when the name of a member cannot be stored', async () => {
    for (const field of ['memberUsers', 'memberGroups', 'parentGroups']) {
      assertRefused(
        await send('/group', aGroup('g', { [field]: ['fine', 'nul\0'] })),
        400,
        new RegExp(`^${field}: .* control character`),
      )
      assertRefused(await send('/group', aGroup('g', { [field]: ['x'.repeat(401)] })), 400, /has 401 characters/)
      assertRefused(await admin().put('/group/members', aGroup('members', { [field]: ['\ud800'] })), 400, /control character/)
    }
  })

  test('is refused when a text cannot be stored', async () => {
    for (const text of ['nul\0', 'half \udfff']) {
      assertRefused(await send('/group', aGroup('g', { properties: { description: text } })), 400, /cannot be stored/)
      assertRefused(await admin().put('/group/members', aGroup('members', { grouplabel: text })), 400, /cannot be stored/)
    }
  })

  test('is refused when it is not JSON by its content type', async () => {
    assert.equal((await send('/group', '<group/>', { 'content-type': 'application/xml' })).status, 415)
  })

  test('is refused when it names 90,000 parents that do not exist, also from a power user', async () => {
    const parentGroups = Array.from({ length: 90_000 }, (_, index) => `p${index}`)
    await server.addUser('paul', ['powerusers'])
    for (const caller of [admin(), server.as('paul')]) {
      assertRefused(await caller.post('/group', aGroup('crowded', { parentGroups })), 400, 'group does not exist: p0')
    }
    await admin().delete('/user/paul')
  })

  test('in an address is not found, or is no address', async () => {
    const addresses = [
      '/group/%00',
      '/group/a%0Ab',
      '/group/%F0%9F%92%A9',
      `/group/${'a/'.repeat(2000)}`,
      `/group/${'user/'.repeat(2000)}@users`,
    ]
    for (const address of addresses) assert.equal((await admin().get(address)).status, 404, address.slice(0, 40))
    assert.equal((await admin().get('/group/%E0%A4%A')).status, 400)
    for (const address of [
      '/group/members/user/%00',
      '/group/%00/user/Administrator',
      `/group/members/user/${'x'.repeat(2000)}`,
    ]) {
      assert.equal((await admin().post(address)).status, 404, address.slice(0, 40))
      assert.equal((await admin().delete(address)).status, 404, address.slice(0, 40))
    }
  })

  test('as a term or page finds nothing or is refused, and never breaks the search', async () => {
    const queries = [
      'q=%00',
      'q=%25%25%25',
      `q=${'%25'.repeat(2000)}x`,
      `q=${'a'.repeat(10_000)}`,
      'q=%F0%9F%92%A9',
      'q=a%00b&pageSize=-5',
    ]
    for (const query of queries) assert.equal((await admin().get(`/group/search?${query}`)).status, 200, query.slice(0, 30))
  })
})

onEachServer('large input about groups', (server) => {
  const admin = () => server.as('Administrator')

  test('is stored whole: a label and a description of a million characters', async () => {
    const [grouplabel, description] = ['L'.repeat(1_000_000), 'ü'.repeat(1_000_000)]
    await createGroup(admin(), 'wordy', { grouplabel, properties: { description } })
    const { body } = await admin().get('/group/wordy')
    assert.deepEqual([body.grouplabel === grouplabel, body.properties.description === description], [true, true])
    assert.deepEqual((await admin().get('/group/search?q=llll')).body.resultsCount, 1)
    await admin().delete('/group/wordy')
  })

  test('is stored whole: names of 400 characters of any kind, in one another', async () => {
    const names = ['日'.repeat(400), '𝕏'.repeat(200)]
    for (const name of names) await createGroup(admin(), name, { memberUsers: names, memberGroups: ['m'.repeat(400)] })
    for (const name of names) assert.deepEqual((await readGroup(admin(), name)).memberUsers, names)
  })

  test('is stored whole: 20,000 members in one request', async () => {
    const memberUsers = Array.from({ length: 20_000 }, (_, index) => `member-${index}`)
    await createGroup(admin(), 'crowd', { memberUsers })
    assert.deepEqual((await readGroup(admin(), 'crowd')).memberUsers, memberUsers)
    assert.equal((await admin().put('/group/crowd', aGroup('crowd', { memberUsers: memberUsers.slice(1) }))).status, 200)
    assert.equal((await admin().get('/group/crowd/@users?pageSize=1')).body.resultsCount, 19_999)
  })
})
