import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ApiCaller } from '../../src/testing.ts'
import { createGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What each gets: no credentials, an ordinary user, a power user, an administrator. */
type Statuses = readonly [nobody: number, ordinary: number, power: number, administrator: number]

/** The body as JSON; `$user`, `$group`, `$entry` are things made for this one call, `$new` is a name that nothing has. */
type Row = readonly [method: Method, path: string, statuses: Statuses, body?: object]

const forAll: Statuses = [401, 200, 200, 200]
const user = (fields: object = {}) => ({ 'entity-type': 'user', id: '$user', properties: fields })
const newUser = (fields: object = {}) => ({ 'entity-type': 'user', id: '$new', properties: { username: '$new', ...fields } })
const group = (id: string, fields: object = {}) => ({ 'entity-type': 'group', id, ...fields })
const entry = (directoryName: string, id: string) => ({
  'entity-type': 'directoryEntry',
  directoryName,
  id,
  properties: { id, label: 'Label' },
})

const logged = { params: { message: 'told', level: 'info' } }

const tables: { readonly [area: string]: readonly Row[] } = {
  'the own account': [
    ['GET', '/me', forAll],
    ['POST', '/automation/login', forAll],
    ['PUT', '/me/changepassword', [401, 401, 401, 401], { oldPassword: 'wrong', newPassword: 'other' }],
    ['PUT', '/me/changepassword', [401, 400, 400, 400], {}],
    ['POST', '/me/profile', forAll],
    ['GET', '/me/notifications', forAll],
    ['PUT', '/me/notifications/read?until=1', [401, 204, 204, 204]],
    ['GET', '/me/notifications/preferences', forAll],
    ['PUT', '/me/notifications/preferences', [401, 400, 400, 400], { digest: 'now and then' }],
  ],
  users: [
    ['GET', '/user/search?q=*', forAll],
    ['GET', '/user?q=*', forAll],
    ['GET', '/user/$user', forAll],
    ['GET', '/user/Administrator', forAll],
    ['GET', '/user/$new', [401, 404, 404, 404]],
    ['POST', '/user', [401, 403, 201, 201], newUser()],
    ['POST', '/user', [401, 403, 201, 201], newUser({ groups: ['plain'] })],
    ['POST', '/user', [401, 403, 201, 201], newUser({ groups: ['powerusers'] })],
    ['POST', '/user', [401, 403, 403, 201], newUser({ groups: ['administrators'] })],
    ['POST', '/user', [401, 403, 403, 201], newUser({ groups: ['inner-administrators'] })],
    ['POST', '/user', [401, 403, 409, 409], user()],
    ['PUT', '/user/$user', [401, 403, 200, 200], user({ firstName: 'A' })],
    ['PUT', '/user/$user', [401, 403, 403, 200], user({ groups: ['inner-administrators'] })],
    ['PUT', '/user/chief', [401, 403, 403, 200], { 'entity-type': 'user', id: 'chief', properties: { firstName: 'A' } }],
    ['PUT', '/user/$new', [401, 404, 404, 404], newUser()],
    ['DELETE', '/user/$user', [401, 403, 204, 204]],
    ['DELETE', '/user/$chief', [401, 403, 403, 204]],
    ['DELETE', '/user/$new', [401, 404, 404, 404]],
    ['POST', '/user/$user/@op/Log', [401, 403, 403, 204], logged],
    ['POST', '/user/$user/@op/User.CreateOrUpdate', [401, 404, 404, 400], {}],
  ],
  'the caller as a user': [
    ['PUT', '/user/$me', [401, 403, 200, 200], { 'entity-type': 'user', properties: { company: 'Acme' } }],
  ],
  groups: [
    ['GET', '/group/search?q=*', forAll],
    ['GET', '/group?q=*', forAll],
    ['GET', '/group/$group', forAll],
    ['POST', '/group/$group/@op/Log', [401, 403, 403, 204], logged],
    ['GET', '/group/administrators?fetch.group=memberUsers', forAll],
    ['GET', '/group/$new', [401, 404, 404, 404]],
    ['GET', '/group/$group/@users', forAll],
    ['GET', '/group/$group/@groups', forAll],
    ['GET', '/group/administrators/@users', forAll],
    ['GET', '/group/$new/@users', [401, 404, 404, 404]],
    ['POST', '/group', [401, 403, 201, 201], group('$new')],
    ['POST', '/group', [401, 403, 403, 201], group('$new', { parentGroups: ['inner-administrators'] })],
    ['POST', '/group', [401, 403, 400, 400], group('')],
    ['POST', '/group', [401, 403, 409, 409], group('plain')],
    ['PUT', '/group/$group', [401, 403, 200, 200], group('$group', { grouplabel: 'Label' })],
    ['PUT', '/group/$group', [401, 403, 403, 200], group('$group', { parentGroups: ['administrators'] })],
    ['PUT', '/group/inner-administrators', [401, 403, 403, 200], group('inner-administrators')],
    ['PUT', '/group/$new', [401, 404, 404, 404], group('$new')],
    ['DELETE', '/group/$group', [401, 403, 204, 204]],
    ['DELETE', '/group/$administrators', [401, 403, 403, 204]],
    ['DELETE', '/group/$new', [401, 404, 404, 404]],
  ],
  membership: (['POST', 'DELETE'] as const).flatMap((method): readonly Row[] => {
    const done = method === 'POST' ? 201 : 200
    return [
      [method, '/group/$group/user/$user', [401, 403, done, done]],
      [method, '/user/$user/group/$group', [401, 403, done, done]],
      [method, '/group/$group/user/chief', [401, 403, 403, done]],
      [method, '/user/chief/group/$group', [401, 403, 403, done]],
      [method, '/group/inner-administrators/user/$user', [401, 403, 403, done]],
      [method, '/user/$user/group/inner-administrators', [401, 403, 403, done]],
      [method, '/group/$new/user/$user', [401, 404, 404, 404]],
      [method, '/user/$user/group/$new', [401, 404, 404, 404]],
      [method, '/group/$group/user/$new', [401, 404, 404, 404]],
      [method, '/user/$new/group/$group', [401, 404, 404, 404]],
    ]
  }),
  directories: [
    ['GET', '/directory', forAll],
    ['GET', '/directory/topic', forAll],
    ['GET', '/directory/topic/art', forAll],
    ['GET', '/directory/$new', [401, 404, 404, 404]],
    ['GET', '/directory/topic/$new', [401, 404, 404, 404]],
    ['POST', '/directory/topic', [401, 403, 201, 201], entry('topic', '$new')],
    ['PUT', '/directory/topic/$entry', [401, 403, 200, 200], entry('topic', '$entry')],
    ['DELETE', '/directory/topic/$entry', [401, 403, 204, 204]],
    ['DELETE', '/directory/topic/$new', [401, 403, 404, 404]],
    ['POST', '/directory/userDirectory', [401, 403, 400, 400], entry('userDirectory', '$new')],
    ['PUT', '/directory/groupDirectory/plain', [401, 403, 400, 400], entry('groupDirectory', 'plain')],
    ['DELETE', '/directory/groupDirectory/plain', [401, 403, 400, 400]],
    ['GET', '/directory/userDirectory/Administrator', forAll],
    ['GET', '/directory/oauth2Tokens', forAll],
    [
      'POST',
      '/directory/oauth2Tokens',
      [401, 403, 403, 201],
      { ...entry('oauth2Tokens', '0'), properties: { accessToken: 't' } },
    ],
  ],
  definitions: [
    '/config/types',
    '/config/types/File',
    '/docType',
    '/docType/File',
    '/config/schemas',
    '/config/schemas/dublincore',
    '/schema',
    '/schema/dublincore',
    '/config/facets',
    '/config/facets/Folderish',
    '/config/lifecycles',
    '/facet',
    '/facet/Folderish',
  ].map((path) => ['GET', path, forAll]),
}

const aboutPeople = /^\/(?:user|group|directory|me|automation\/login|config|docType|schema|facet)\b/

onEachServer('who may do what about people', (server) => {
  const admin = () => server.as('Administrator')
  let made = 0

  before(async () => {
    await server.addUser('ordinary')
    await server.addUser('power', ['powerusers'])
    await createGroup(admin(), 'plain')
    await createGroup(admin(), 'inner-administrators', { parentGroups: ['administrators'] })
    await server.addUser('chief', ['inner-administrators'])
  })

  const makers: { readonly [thing: string]: (name: string) => Promise<void> } = {
    user: (name) => server.addUser(name, ['plain']),
    chief: (name) => server.addUser(name, ['inner-administrators']),
    group: (name) => createGroup(admin(), name),
    administrators: (name) => createGroup(admin(), name, { parentGroups: ['administrators'] }),
    entry: async (name) => {
      assert.equal((await admin().post('/directory/topic', entry('topic', name))).status, 201)
    },
    new: async () => {},
  }

  /** The row with things of its own, so that no call depends on one before it. */
  async function furnish(text: string, caller: string): Promise<string> {
    let furnished = text.replaceAll('$me', caller)
    for (const [thing, make] of Object.entries(makers)) {
      if (!furnished.includes(`$${thing}`)) continue
      const name = `${thing}-${++made}`
      await make(name)
      furnished = furnished.replaceAll(`$${thing}`, name)
    }
    return furnished
  }

  async function statusFor([method, path, , body]: Row, caller: string, send: ApiCaller['call']): Promise<number> {
    const furnished = await furnish(JSON.stringify({ path, body }), caller)
    const sent = JSON.parse(furnished) as { path: string; body?: object }
    const headers = { 'content-type': 'application/json' }
    const options = { headers, ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }) }
    return (await send(method, `api/v1${sent.path}`, options)).status
  }

  const withoutCredentials: ApiCaller['call'] = (method, path, { headers, body } = {}) =>
    admin().call(method, path, { headers: { ...headers, authorization: '' }, ...(body !== undefined && { body }) })

  for (const [area, rows] of Object.entries(tables)) {
    describe(area, () => {
      for (const row of rows) {
        const [method, path, expected, body] = row
        test(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`, async () => {
          const statuses = [await statusFor(row, 'nobody', withoutCredentials)]
          for (const caller of ['ordinary', 'power', 'Administrator']) {
            statuses.push(await statusFor(row, caller, server.as(caller).call))
          }
          assert.deepEqual(statuses, expected)
        })
      }
    })
  }

  test('no way to call anything about people is left out of these tables', async () => {
    const { body } = await admin().get('/openapi.json')
    const rows = Object.values(tables).flat()
    const left: string[] = []
    for (const [template, operations] of Object.entries<object>(body.paths)) {
      const path = template.replace('/api/v1', '')
      if (!aboutPeople.test(path)) continue
      const shape = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}$`)
      for (const method of Object.keys(operations)) {
        const hasRow = rows.some((row) => row[0] === method.toUpperCase() && shape.test(row[1].replace(/\?.*/, '')))
        if (!hasRow) left.push(`${method} ${path}`)
      }
    }
    assert.deepEqual(left, [])
  })

  test('tokens are shown to administrators alone', async () => {
    const counts = []
    for (const caller of ['ordinary', 'power', 'Administrator']) {
      counts.push((await server.as(caller).get('/directory/oauth2Tokens')).body.resultsCount)
    }
    assert.deepEqual(counts, [0, 0, 1])
  })
})
