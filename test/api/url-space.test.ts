import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { aDocument, assertRefused, changesTo, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const folderPath = '/default-domain/workspaces/folder'

/** As clients write a path: everything encoded but `/`, `:` and `@`. */
const asClientsEncode = (path: string) => encodeURIComponent(path).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%40/g, '@')

onEachServer('addresses of documents', (server) => {
  const bench = workbenchOn(server)
  let folder = ''
  let child = ''
  let hidden = ''
  before(async () => {
    await server.addUser('bob', ['members'])
    folder = (await bench.create('Folder', {}, { name: 'folder' })).uid
    child = (await bench.create('File', {}, { name: 'child', parent: folderPath })).uid
    hidden = (await bench.create('Folder', {}, { name: 'hidden' })).uid
    await bench.restrict(hidden)
  })
  const get = (path: string, headers = {}) => server.as('Administrator').get(path, headers)

  describe('that lead to the same document', () => {
    const addresses: readonly [how: string, path: () => string][] = [
      ['its path', () => `/path${folderPath}/child`],
      ['its id', () => `/id/${child}`],
      ['its path in the named repository', () => `/repo/default/path${folderPath}/child`],
      ['its id in the named repository', () => `/repo/default/id/${child}`],
      ['its name below the id of its parent', () => `/id/${folder}/child`],
      ['its path with a slash at the end', () => `/path${folderPath}/child/`],
      ['its id with a slash at the end', () => `/id/${child}/`],
      ['its path with repeated slashes', () => `/path/${folderPath}//child//`],
      ['its path with encoded slashes', () => `/path/${encodeURIComponent(`${folderPath}/child`)}`],
      ['its path with parameters behind it', () => `/path${folderPath}/child;v=1`],
      ['its path with parameters in the middle', () => `/path${folderPath};a=b;c/child`],
      ['its id with parameters behind it', () => `/id/${child};a=b`],
      ['its path, letters encoded', () => `/path${folderPath}/%63hil%64`],
    ]
    for (const [how, path] of addresses) {
      test(`include ${how}`, async () => {
        const { status, body } = await get(path())
        assert.equal(status, 200)
        assert.equal(body.uid, child)
        assert.deepEqual(body, (await get(`/id/${child}`)).body)
      })
    }

    test('include all of them below /site, with every method', async () => {
      const administrator = server.as('Administrator')
      const headers = { 'content-type': 'application/json' }
      const created = await administrator.call('POST', 'site/api/v1/path/default-domain/workspaces', {
        headers,
        body: JSON.stringify(aDocument()),
      })
      assert.equal(created.status, 201)
      const address = `site/api/v1/id/${created.body.uid}`
      const body = JSON.stringify(changesTo({ 'dc:title': 'changed' }))
      assert.equal((await administrator.call('PUT', address, { headers, body })).body.title, 'changed')
      assert.equal((await administrator.call('GET', address)).body.title, 'changed')
      assert.equal((await administrator.call('DELETE', address)).status, 204)
      assert.equal((await administrator.call('GET', address)).status, 404)
    })
  })

  describe('below the id of a document', () => {
    test('take every method', async () => {
      const parent = (await bench.create('Folder', {}, { name: 'outer' })).uid
      const inner = `/id/${parent}/inner`
      await bench.create('Folder', {}, { name: 'inner', parent: '/default-domain/workspaces/outer' })
      const created = await server.as('Administrator').post(inner, aDocument({ name: 'leaf' }))
      assert.equal(created.body.path, '/default-domain/workspaces/outer/inner/leaf')
      const changed = await server.as('Administrator').put(`${inner}/leaf`, changesTo({ 'dc:title': 'changed' }))
      assert.equal(changed.body.title, 'changed')
      assert.equal((await get(`${inner}/leaf`)).body.title, 'changed')
      assert.equal((await server.as('Administrator').delete(`${inner}/leaf`)).status, 204)
      assertRefused(await get(`${inner}/leaf`), 404, '/default-domain/workspaces/outer/inner/leaf')
    })
    test('start at the root too', async () => {
      const { uid: root } = (await get('/path/')).body
      assert.equal((await get(`/id/${root}/default-domain/workspaces`)).body.path, '/default-domain/workspaces')
    })
    test('lead to what may be read there, whether or not the document itself may be', async () => {
      const outer = await bench.create('Folder', {}, { name: 'closed' })
      const open = await bench.create('File', {}, { name: 'open', parent: outer.path })
      await bench.create('File', {}, { name: 'shut', parent: outer.path })
      await bench.restrict(outer.uid)
      await bench.restrict(open.uid, grant('bob', 'ReadWrite'))
      const bob = server.as('bob')
      assert.equal((await bob.get(`/path${outer.path}/open`)).body.uid, open.uid)
      assert.equal((await bob.get(`/id/${outer.uid}/open`)).body.uid, open.uid)
      const changed = await bob.put(`/id/${outer.uid}/open`, changesTo({ 'dc:title': 'changed' }))
      assert.equal(changed.body.title, 'changed')
      for (const name of ['shut', 'nothing'])
        assertRefused(await bob.get(`/id/${outer.uid}/${name}`), 403, privilegeMissing('Read', 'bob'))
    })
    test('lead nowhere from a version', async () => {
      const live = await bench.create('Note')
      const version = await server
        .as('Administrator')
        .put(`/id/${live.uid}`, changesTo({ 'dc:title': 'next' }), { source: 'test' })
      assert.equal(version.body.isVersion, true)
      assert.equal((await get(`/id/${version.body.uid}/child`)).status, 404)
    })
  })

  describe('of the root', () => {
    for (const path of ['/path/', '/path', '/path//', '/repo/default/path/']) {
      test(`include ${path}`, async () => {
        const { body } = await get(path)
        assert.equal(body.type, 'Root')
        assert.equal(body.path, '/')
        assert.equal(body.parentRef, null)
      })
    }
    for (const path of ['/path/@children', '/path//@children', '/repo/default/path/@children']) {
      test(`take an adapter: ${path}`, async () => {
        const { body } = await get(path)
        assert.deepEqual(
          body.entries.map((entry: { path: string }) => entry.path),
          ['/default-domain'],
        )
      })
    }
  })

  describe('of documents with names such as', () => {
    const names = [
      'a b',
      'a;b',
      'a;b=c',
      '[a]',
      'a#b',
      'a,b',
      'a$b',
      'a:b',
      'a&b',
      'a?b',
      'a=b',
      'a+b',
      'a@b',
      '100%',
      'a%20b',
      "o'b",
      'été',
      '日本語',
      '😀',
      ' ; [ ] # , $ : & ? = +',
      'a"b<c>',
      '..a',
      'a|b^c`',
      '~a',
    ]
    for (const name of names) {
      test(`${name} take every method`, async () => {
        const created = await bench.create('File', {}, { name, parent: folderPath })
        assert.equal(created.path, `${folderPath}/${name.trim()}`)
        const address = `/path${asClientsEncode(created.path)}`
        assert.equal((await get(address)).body.uid, created.uid)
        assert.equal((await get(`/id/${folder}/${encodeURIComponent(name.trim())}`)).body.uid, created.uid)
        const changed = await server.as('Administrator').put(address, changesTo({ 'dc:title': 'changed' }))
        assert.equal(changed.body.title, 'changed')
        const below = await server.as('Administrator').post(address, aDocument({ name: 'below' }))
        assert.equal(below.body.path, `${created.path}/below`)
        assert.equal((await server.as('Administrator').delete(address)).status, 204)
        assertRefused(await get(address), 404, created.path)
      })
    }

    test('a+b are not those of a b', async () => {
      const { uid } = await bench.create('File', {}, { name: 'a+b', parent: folderPath })
      assert.equal((await get(`/path${folderPath}/a+b`)).body.uid, uid)
      assert.equal((await get(`/path${folderPath}/a%20b`)).status, 404)
    })
    test('with half a character in them lead nowhere, and with bytes that are none are refused', async () => {
      assertRefused(await get(`/path${folderPath}/a%ED%A0%80b`), 404, `${folderPath}/a\ud800b`)
      assertRefused(await get(`/path${folderPath}/a%FFb`), 400, /a%FFb is not percent-encoded/)
    })
    test('@a are reached by id and not by path', async () => {
      const { uid } = await bench.create('File', {}, { name: '@a', parent: folderPath })
      assert.equal((await get(`/id/${uid}`)).body.path, `${folderPath}/@a`)
      assertRefused(await get(`/path${folderPath}/@a`), 404, /^Service a not found for object: \S+ of type Document$/)
    })
    test('é are the same however it is composed', async () => {
      const { uid, path } = await bench.create('File', {}, { name: 'cafe\u0301', parent: folderPath })
      assert.equal(path, `${folderPath}/caf\u00e9`)
      for (const spelled of ['cafe\u0301', 'caf\u00e9']) {
        assert.equal((await get(`/path${folderPath}/${encodeURIComponent(spelled)}`)).body.uid, uid)
      }
    })
  })

  describe('that lead nowhere', () => {
    const unknownId = '00000000-0000-4000-8000-000000000000'
    const rows: readonly [path: string, message: string][] = [
      ['/path/wrongID', '/wrongID'],
      ['/path/wrongID/', '/wrongID'],
      ['/path//wrongID', '/wrongID'],
      ['/path/no%20where;a=b/at%2Fall', '/no where/at/all'],
      ['/path/Default-Domain', '/Default-Domain'],
      ['/path/wrongID/@children', '/wrongID'],
      ['/path/wrongID/@nonsense', '/wrongID'],
      [`/id/${unknownId}`, unknownId],
      ['/id/nonsense', 'nonsense'],
      ['/id/a%00b', 'a\u0000b'],
      ['/path/a%00b', '/a\u0000b'],
      ['/wrongpath/folder/x', 'Type not found: wrongpath'],
      ['/@nonsense', 'Service nonsense not found for object: /@nonsense of type Root'],
      ['/repo/nowhere/path/', 'Repository nowhere not found'],
    ]
    for (const [path, message] of rows) {
      test(`say so exactly: ${path}`, async () => {
        assertRefused(await get(path), 404, message)
      })
    }
    test('include the id in capitals', async () => {
      assertRefused(await get(`/id/${child.toUpperCase()}`), 404, child.toUpperCase())
    })
    test('include an id with something behind an encoded slash', async () => {
      assertRefused(await get(`/id/${folder}%2Fchild`), 404, `${folder}/child`)
    })
    for (const path of ['', '/', '/id', '/repo', '/repo/default']) {
      test(`are 404 without more: ${path || 'nothing'}`, async () => {
        assertRefused(await get(path), 404, /./)
      })
    }
    test('include steps upwards, which are names like others', async () => {
      const path = `/api/v1/path${folderPath}/../folder`
      assert.deepEqual(await getUnresolved(server.url, path), { status: 404, message: `${folderPath}/../folder` })
    })
    for (const path of ['/path/%zz', '/path/%ff', '/id/%c3%28']) {
      test(`are 400 when they cannot be decoded: ${path}`, async () => {
        assertRefused(await get(path), 400, /percent-encoded UTF-8/)
      })
    }
    for (const adapter of ['delete', 'put', 'audits', 'lock', 'versions', 'Children']) {
      test(`include the adapter @${adapter}`, async () => {
        const message = new RegExp(`^Service ${adapter} not found for object: \\S+ of type Document$`)
        for (const method of ['GET', 'POST']) {
          assertRefused(await server.as('Administrator').call(method, `api/v1/id/${child}/@${adapter}`), 404, message)
        }
        assert.equal((await get(`/id/${child}`)).status, 200)
      })
    }
  })

  describe('of a document that may not be read', () => {
    const bob = () => server.as('bob')
    const calls: readonly [what: string, call: () => ReturnType<ReturnType<typeof bob>['get']>][] = [
      ['GET by path', () => bob().get('/path/default-domain/workspaces/hidden')],
      ['GET by id', () => bob().get(`/id/${hidden}`)],
      ['HEAD', () => bob().call('HEAD', `api/v1/id/${hidden}`)],
      ['POST', () => bob().post(`/id/${hidden}`, aDocument())],
      ['PUT', () => bob().put(`/id/${hidden}`, changesTo({ 'dc:title': 'mine' }))],
      ['DELETE', () => bob().delete(`/id/${hidden}`)],
      ['an adapter', () => bob().get(`/id/${hidden}/@children`)],
      ['an adapter that does not exist', () => bob().get(`/id/${hidden}/@nonsense`)],
      ['a name below its id', () => bob().get(`/id/${hidden}/anything`)],
    ]
    for (const [what, call] of calls) {
      test(`are refused, not denied to exist: ${what}`, async () => {
        const answer = await call()
        if (what === 'HEAD') assert.equal(answer.status, 403)
        else assertRefused(answer, 403, privilegeMissing('Read', 'bob'))
      })
    }
    test('leave the document as it was', async () => {
      assert.equal((await get(`/id/${hidden}`)).body.title, 'hidden')
      assert.deepEqual((await get(`/id/${hidden}/@children`)).body.entries, [])
    })
  })
})

/** Without the client's own clean-up of `..`, which would never reach the server. */
async function getUnresolved(url: string, path: string): Promise<{ status: number | undefined; message: string }> {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path, auth: 'Administrator:Administrator' }).end()
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; message: string }>()
  sent.on('error', reject).on('response', async (response) => {
    const text = (await response.toArray()).join('')
    resolve({ status: response.statusCode, message: JSON.parse(text).message })
  })
  return promise
}
