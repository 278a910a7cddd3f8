import { documentBody, getting, json, request, workspaces } from './hostile-request.ts'

const put = (fields: object) => ({ headers: [json], body: documentBody({ type: undefined, name: undefined, ...fields }) })
const creating = { headers: [json], body: documentBody({}) }
const titled = put({ properties: { 'dc:title': 'hostile' } })

export const missingRights = [
  getting('to read', '/id/<secret>', 403, { user: 'alice' }),
  getting('to read one of several', '/bulk;id=<file>;id=<secret>', 403, { user: 'alice' }),
  request('to create', 'POST', workspaces, 403, { ...creating, user: 'alice' }),
  request('to change', 'PUT', '/id/<file>', 403, { ...titled, user: 'alice' }),
  request('to change one of several', 'PUT', '/bulk;id=<file>;id=<secret>', 403, { ...titled, user: 'alice' }),
  request('to remove', 'DELETE', '/id/<file>', 403, { user: 'alice' }),
  request('to remove several', 'DELETE', '/bulk;id=<file>;id=<folder>', 403, { user: 'alice' }),
  request('to remove the root', 'DELETE', '/path/', 403),
  request('to copy the type and name of what one may not read', 'POST', '/id/<folder>', 403, {
    headers: [json],
    body: documentBody({ uid: '<secret>' }),
    user: 'alice',
  }),
]

export const impossibleWrites = [
  request('below a missing path', 'POST', '/path/missing', 404, creating),
  request('below a missing id', 'POST', '/id/00000000-0000-0000-0000-000000000000', 404, creating),
  request('below a path with a NUL', 'POST', '/path/%00', 404, creating),
  request('below a version', 'POST', '/id/<version>', 400, creating),
  request('below a path that is as long as can be', 'POST', '/id/<deepest>', 400, {
    headers: [json],
    body: documentBody({ name: '😀'.repeat(24) }),
  }),
  request('to a version', 'PUT', '/id/<version>', 400, titled),
  request('to a missing document', 'PUT', '/id/missing', 404, titled),
  request('to another document than the address names', 'PUT', '/id/<file>', 400, put({ uid: '<folder>', properties: {} })),
  request('to a document that the address does not know', 'PUT', '/id/<file>', 404, put({ uid: 'missing' })),
  request('with an old token', 'PUT', '/id/<file>', 409, put({ uid: '<file>', changeToken: '9999-1234' })),
  request('with a token that is none', 'PUT', '/id/<file>', 409, put({ uid: '<file>', changeToken: 'x' })),
  request('with a token of SQL', 'PUT', '/id/<file>', 409, put({ uid: '<file>', changeToken: "0-0' OR 1=1" })),
  request('with a token with a NUL', 'PUT', '/id/<file>', 409, put({ uid: '<file>', changeToken: '0-0\0' })),
  request('that make a version of a folder', 'PUT', '/id/<folder>', 400, {
    ...titled,
    headers: [json, 'X-Versioning-Option: MINOR'],
  }),
  request('that remove what is missing', 'DELETE', '/id/missing', 404),
  request('that remove what is held', 'DELETE', '/id/<held>', 409),
  request('that remove what contains something held', 'DELETE', workspaces, 409),
  request('that remove something and something missing', 'DELETE', '/bulk;id=<folder>;id=missing', 404),
  request('that change something and something missing', 'PUT', '/bulk;id=<file>;id=missing', 404, titled),
  request('that change something and a version', 'PUT', '/bulk;id=<file>;id=<version>', 400, titled),
  request('with a wrong value for the second property', 'PUT', '/id/<file>', 400, {
    ...put({ properties: { 'dc:title': 'hostile', 'dc:created': 'never' } }),
  }),
]
