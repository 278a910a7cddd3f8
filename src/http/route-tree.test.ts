import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noContent } from '../rest/answer.ts'
import { parseUrlPath } from '../rest/request/url-path.ts'
import type { ErrorWriter, Method, Route } from '../rest/route.ts'
import { createRouteTree, namedValues } from './route-tree.ts'

const route = (method: Method, path: string): Route => ({
  method,
  path,
  under: 'api',
  summary: path,
  answers: {},
  handle: async () => noContent(),
})

const tree = createRouteTree([
  route('GET', '/me'),
  route('PUT', '/me/changepassword'),
  route('GET', '/token/provider/{provider}/user/{login}'),
  route('GET', '/token/{provider}/{login}'),
  route('DELETE', '/token/{token}'),
  route('GET', '/search/pp/{name}/@aggregates'),
  route('GET', '/group/search'),
  route('POST', '/group/{group+}/user/{user+}'),
])

const found = (path: string, method = 'GET') => {
  const match = tree.find(parseUrlPath(path))
  const one = match?.methods.get(method)
  return match && one && { path: one.route.path, ...namedValues(one.names, match.values) }
}

describe('the fixed paths', () => {
  test('are found with their variables decoded', () => {
    assert.deepEqual(found('/token/provider/a%20b/user/x'), {
      path: '/token/provider/{provider}/user/{login}',
      provider: 'a b',
      login: 'x',
    })
  })
  test('try a variable where a literal leads nowhere', () => {
    assert.deepEqual(found('/token/provider/alice'), { path: '/token/{provider}/{login}', provider: 'provider', login: 'alice' })
  })
  test('name the variables as each route does', () => {
    assert.deepEqual(found('/token/abc', 'DELETE'), { path: '/token/{token}', token: 'abc' })
  })
  test('do not mind slashes too many', () => {
    assert.deepEqual(found('//me/'), { path: '/me' })
  })
  test('may end in an adapter, but a variable is never one', () => {
    assert.deepEqual(found('/search/pp/x/@aggregates'), { path: '/search/pp/{name}/@aggregates', name: 'x' })
    assert.equal(tree.find(parseUrlPath('/token/@acl')), undefined)
    assert.deepEqual(found('/token/%40acl', 'DELETE'), { path: '/token/{token}', token: '@acl' })
  })
  test('take several segments for a variable that may hold slashes, up to the literal that follows it', () => {
    const members = (path: string) => tree.find(parseUrlPath(path))?.values
    assert.deepEqual(members('/group/staff/user/ann'), ['staff', 'ann'])
    assert.deepEqual(members('/group/a/b/user/transient/ann@x.org'), ['a/b', 'transient/ann@x.org'])
    assert.deepEqual(members('/group/a/user/b/user/c'), ['a', 'b/user/c'])
    assert.deepEqual(members('/group/user/user/ann'), ['user', 'ann'])
    assert.deepEqual(members('/group/a%2Fuser%2Fb/user/ann'), ['a/user/b', 'ann'])
    assert.deepEqual(members('/group/search/user/ann'), ['search', 'ann'])
    for (const path of ['/group/user/ann', '/group/a/user', '/group/a/@b/user/ann', '/group/a/user/ann/@users']) {
      assert.equal(tree.find(parseUrlPath(path)), undefined, path)
    }
  })
  test('lend their way to write errors to what leads nowhere among them, where all write alike', () => {
    const writeError: ErrorWriter = () => ({})
    const own = (path: string): Route => ({ ...route('GET', path), writeError })
    const mixed = createRouteTree([
      own('/own/{one}/things'),
      own('/own/{one}/all/{name+}'),
      own('/some/own'),
      route('GET', '/some/x'),
    ])
    const writer = (path: string) => mixed.findErrorWriter(parseUrlPath(path))
    for (const path of ['/own', '/own/a', '/own/a/b', '/own/a/things/b', '/own/a/all', '/own/@acl', '/some/own/b'])
      assert.equal(writer(path), writeError, path)
    for (const path of ['/', '/other', '/some', '/some/y', '/some/x/y']) assert.equal(writer(path), undefined, path)
  })
  test('are not found above or below what is there', () => {
    for (const path of ['/', '/token', '/me/other', '/id/x']) assert.equal(tree.find(parseUrlPath(path)), undefined, path)
  })
})
