import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { heavyPath } from '../search/heavy-query/heavy-text.ts'
import { fillLibrary } from '../search/library.ts'

describe('a server whose search process cannot be started', () => {
  const { execPath } = process
  let server: TestServer
  before(async () => {
    server = await startTestServer({ settings: { searchTimeLimit: '1s' } })
    const { store } = server.services.repositories.get('default') ?? assert.fail()
    const parent = (await store.reader.documents.findByPath('/default-domain/workspaces')) ?? assert.fail()
    await fillLibrary(store, parent, 1_000)
  })
  after(() => {
    process.execPath = execPath
    return server.stop()
  })
  const search = () => server.as('Administrator').get(heavyPath)
  const lookUp = async () => (await server.as('Administrator').get('/path/default-domain')).status

  test('answers 503 with a sentence, again and again, and serves everything else', async () => {
    process.execPath = '/nowhere/replaced-by-an-upgrade'
    for (let round = 0; round < 3; round++) {
      const { status, body } = await search()
      assert.equal(status, 503)
      assert.match(body.message, /could not be started or was ended\. Repeat the request later\.$/)
      assert.equal(await lookUp(), 200)
    }
  })

  test('searches again once it can be started', async () => {
    process.execPath = execPath
    assert.equal((await search()).status, 422)
    assert.equal(await lookUp(), 200)
  })
})
