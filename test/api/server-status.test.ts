import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { groupDirectory, subGroups } from '../../src/core/directories/people.ts'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

/** Without credentials. */
async function callOpenly(server: TestServer, method: string, path: string): Promise<ApiAnswer> {
  const response = await fetch(new URL(path, server.url), { method })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

onEachServer('what clients ask first', (server) => {
  before(async () => {
    await server.addUser('bob', ['members'])
    await server.addUser('operator', ['operators'])
    await server.services.directories.store.transact(async ({ directories }) => {
      await directories.insert(groupDirectory, { id: 'operators', values: { groupname: 'operators', grouplabel: 'Operators' } })
      await directories.replaceTargets(subGroups, 'administrators', ['operators'])
    })
  })

  describe('to log in', () => {
    const rows: readonly [user: string, isAdministrator: boolean, groups: readonly string[]][] = [
      ['bob', false, ['members']],
      ['Administrator', true, ['administrators']],
      ['operator', true, ['operators', 'administrators']],
    ]
    for (const [username, isAdministrator, groups] of rows) {
      test(`is answered who they are: ${username}`, async () => {
        const expected = { 'entity-type': 'login', username, isAdministrator, groups }
        for (const path of ['api/v1/automation/login', 'site/automation/login', 'site/api/v1/automation/login']) {
          const { status, body } = await server.as(username).call('POST', path)
          assert.equal(status, 200)
          assert.deepEqual(body, expected)
        }
        const announced = await server.as(username).post('/automation/login')
        assert.deepEqual(announced.body, expected)
      })
    }
    test('is 401 without credentials and 405 with another method', async () => {
      assertRefused(await callOpenly(server, 'POST', 'api/v1/automation/login'), 401, 'Unauthorized')
      assertRefused(await callOpenly(server, 'POST', 'site/automation/login'), 401, 'Unauthorized')
      const answer = await server.as('bob').get('/automation/login')
      assertRefused(answer, 405, /./)
      assert.match(answer.headers.get('allow') ?? '', /POST/)
    })
  })

  describe('about themselves', () => {
    test('is answered with the user', async () => {
      const answer = await server.as('bob').get('/me')
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=user')
      const { body } = answer
      assert.deepEqual([body['entity-type'], body.id, body.isAdministrator, body.isAnonymous], ['user', 'bob', false, false])
      assert.equal(body.properties.username, 'bob')
      assert.deepEqual(body.properties.groups, ['members'])
      assert.deepEqual(body.extendedGroups, [{ name: 'members', label: 'Members group', url: 'group/members' }])
      assert.deepEqual((await server.as('bob').get('/user/bob')).body, body)
    })
    test('is answered for the first administrator', async () => {
      const { body } = await server.as('Administrator').get('/me')
      assert.equal(body.isAdministrator, true)
      assert.equal(body.properties.email, 'devnull@platform.com')
      assert.deepEqual(body.properties.groups, ['administrators'])
    })
    test('never tells a password', async () => {
      for (const path of ['/me', '/user/Administrator']) {
        const { text, body } = await server.as('bob').get(path)
        assert.ok(!('password' in body.properties))
        assert.ok(!text.includes('$argon2'))
      }
    })
    test('is 401 without credentials', async () => {
      assertRefused(await callOpenly(server, 'GET', 'api/v1/me'), 401, 'Unauthorized')
    })
  })

  describe('about the repositories', () => {
    test('is answered with the product and its version', async () => {
      const { status, body } = await server.as('bob').call('GET', 'json/cmis')
      assert.equal(status, 200)
      const root = (await server.as('bob').get('/path/')).body
      const { repositoryId, vendorName, productName, productVersion, rootFolderId, cmisVersionSupported } = body.default
      assert.deepEqual(
        { repositoryId, vendorName, productName, productVersion, rootFolderId, cmisVersionSupported },
        {
          repositoryId: 'default',
          vendorName: 'Platform',
          productName: 'Platform OpenCMIS Connector',
          productVersion: '10.10-HF67',
          rootFolderId: root.uid,
          cmisVersionSupported: '1.1',
        },
      )
    })
    test('is the same whatever repository they work in', async () => {
      for (const name of ['default', 'nowhere']) {
        const { status, body } = await server.as('bob').call('GET', 'json/cmis', { headers: { 'X-NXRepository': name } })
        assert.equal(status, 200)
        assert.ok('default' in body)
      }
    })
    test('is 401 without credentials', async () => {
      assert.equal((await callOpenly(server, 'GET', 'json/cmis')).status, 401)
    })
  })

  describe('about the capabilities', () => {
    test('is answered in sections', async () => {
      const answer = await server.as('bob').get('/capabilities')
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=capabilities')
      const { 'entity-type': entityType, cluster, repository, server: distribution } = answer.body
      assert.equal(entityType, 'capabilities')
      assert.equal(cluster.enabled, false)
      assert.match(cluster.nodeId, /^\d+$/)
      assert.deepEqual(Object.keys(repository), ['default'])
      assert.equal(typeof repository.default.queryBlobKeys, 'boolean')
      assert.deepEqual(distribution, {
        distributionName: 'platform-server',
        distributionVersion: '10.10',
        distributionServer: 'node',
      })
    })
    test('is the same from one request to the next, and objects throughout', async () => {
      const [first, second] = [await server.as('bob').get('/capabilities'), await server.as('bob').get('/capabilities')]
      assert.deepEqual(first.body, second.body)
      const { 'entity-type': _, ...sections } = first.body
      for (const section of Object.values(sections)) assert.equal(typeof section, 'object')
    })
    test('is for reading, and for those who logged in', async () => {
      assert.equal((await callOpenly(server, 'GET', 'api/v1/capabilities')).status, 401)
      for (const method of ['POST', 'PUT', 'DELETE']) {
        assertRefused(await server.as('bob').call(method, 'api/v1/capabilities'), 405, /./)
      }
    })
  })
})

onEachServer(
  'the running status',
  (server) => {
    const key = 'let me in'
    const rows: readonly [query: string, status: number, text: string | RegExp][] = [
      ['', 200, /^\{"runtimeStatus":"ok","repositoryStatus":"ok"/],
      ['?info=started', 200, 'true'],
      ['?info=reload', 200, 'reload();'],
      [`?info=summary&key=${encodeURIComponent(key)}`, 200, /^true\n/],
      ['?info=summary&key=wrong', 403, /the key of the server/],
      ['?info=summary', 403, /the key of the server/],
      ['?info=probe&key=repositoryStatus', 200, '{"repositoryStatus":"ok"}'],
      ['?info=probe&key=runtimeStatus', 200, '{"runtimeStatus":"ok"}'],
      ['?info=nonsense', 200, ''],
    ]
    for (const [query, status, text] of rows) {
      for (const method of ['GET', 'POST']) {
        test(`is open to all: ${method} ${query || 'alone'} is ${status}`, async () => {
          const answer = await callOpenly(server, method, `runningstatus${query}`)
          assert.equal(answer.status, status)
          if (typeof text === 'string') assert.equal(answer.text, text)
          else assert.match(answer.text, text)
          if (status === 200) assert.equal(answer.headers.get('content-type'), 'application/json')
        })
      }
    }
    for (const name of ['nonsense', '']) {
      test(`knows no probe named ${JSON.stringify(name)}`, async () => {
        assert.equal((await callOpenly(server, 'GET', `runningstatus?info=probe&key=${name}`)).status, 404)
      })
    }
    test('is the same with wrong credentials', async () => {
      const answer = await server.as('nobody').call('GET', 'runningstatus')
      assert.equal(answer.status, 200)
    })
  },
  { settings: { statusKey: 'let me in' } },
)

onEachServer(
  'the settings of a server',
  (server) => {
    test('are what its capabilities tell', async () => {
      const { body } = await server.as('Administrator').get('/capabilities')
      assert.deepEqual(body.cluster, { enabled: true, nodeId: 'node-1' })
      assert.deepEqual(body.server, { distributionName: 'archive', distributionVersion: '10.10', distributionServer: 'rack' })
    })
    test('keep the summary closed without a key', async () => {
      for (const query of ['?info=summary', '?info=summary&key=', '?info=summary&key=undefined']) {
        assert.equal((await callOpenly(server, 'GET', `/archive/runningstatus${query}`)).status, 403)
      }
    })
    test('put everything below the base path', async () => {
      assert.equal((await callOpenly(server, 'GET', '/archive/runningstatus')).status, 200)
      assert.equal((await callOpenly(server, 'GET', '/runningstatus')).status, 404)
      assert.equal((await server.as('Administrator').call('GET', '/archive/site/api/v1/path/')).status, 200)
      assert.equal((await server.as('Administrator').call('GET', '/api/v1/path/')).status, 404)
    })
  },
  {
    settings: {
      basePath: '/archive',
      clusteringEnabled: true,
      clusteringNodeId: ' node-1 ',
      distributionName: 'archive',
      distributionServer: 'rack',
    },
  },
)
