import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { compile, searchDocuments } from '../../src/core/search/page/run-query.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer('10 a query for documents whose first column names them', (server) => {
  const bench = workbenchOn(server)
  let [one, two, hidden, holder]: readonly Answered[] = []
  before(async () => {
    await server.addUser('bob', ['members'])
    one = await bench.create('File', { 'dc:title': 'one' })
    two = await bench.create('File', { 'dc:title': 'two' })
    hidden = await bench.create('File', { 'dc:title': 'hidden' })
    await bench.restrict(hidden.uid)
    holder = await bench.create('File', { 'dc:title': 'holder', 'dc:source': one.uid, 'dc:rights': 'no id' })
    const { uid } = holder
    const ids = [two.uid, hidden.uid, 'gone', one.uid, two.uid]
    await server.asSystem(async ({ tx }) => {
      const before = await tx.documents.findForUpdate(uid)
      assert.ok(before)
      await tx.documents.update(before, {
        ...before,
        facets: ['Collection'],
        properties: { ...before.properties, 'collection:documentIds': ids },
      })
    })
  })

  const search = (
    column: string,
    user: string,
    window: { offset: number; limit?: number; countLimit?: number } = { offset: 0 },
  ) =>
    server.inSession(user, async (session) => {
      const query = compile(session, `SELECT ${column} FROM Document WHERE ecm:uuid = '${holder.uid}'`)
      const { documents, count } = await searchDocuments(session, query, window)
      return { titles: documents.map(({ properties }) => properties['dc:title']), count }
    })

  test('gives the documents of a list in its order, duplicates too, without those that are gone', async () => {
    assert.deepEqual(await search('collection:documentIds/*', 'Administrator'), {
      titles: ['two', 'hidden', 'one', 'two'],
      count: 4,
    })
  })

  test('leaves out what the caller cannot browse, and counts what is left', async () => {
    assert.deepEqual(await search('collection:documentIds/*', 'bob'), { titles: ['two', 'one', 'two'], count: 3 })
  })

  describe('pages what is left', () => {
    const rows: [
      window: { offset: number; limit?: number; countLimit?: number },
      titles: readonly string[],
      count: number | undefined,
    ][] = [
      [{ offset: 1, limit: 1 }, ['one'], 3],
      [{ offset: 2, limit: 5 }, ['two'], 3],
      [{ offset: 9, limit: 5 }, [], 3],
      [{ offset: 0, limit: 1, countLimit: 2 }, ['two'], undefined],
      [{ offset: 0, limit: 1, countLimit: 3 }, ['two'], 3],
    ]
    for (const [window, titles, count] of rows) {
      test(JSON.stringify(window), async () => {
        assert.deepEqual(await search('collection:documentIds/*', 'bob', window), { titles, count })
      })
    }
  })

  test('gives the one document that a property names', async () => {
    assert.deepEqual(await search('dc:source', 'bob'), { titles: ['one'], count: 1 })
  })

  test('gives nothing for what is no id', async () => {
    assert.deepEqual(await search('dc:rights', 'bob'), { titles: [], count: 0 })
    assert.deepEqual(await search('dc:expired', 'bob'), { titles: [], count: 0 })
  })

  test('with the id itself first gives each document once', async () => {
    assert.deepEqual(await search('ecm:uuid', 'bob'), { titles: ['holder'], count: 1 })
    assert.deepEqual(await search('DISTINCT ecm:uuid', 'bob'), { titles: ['holder'], count: 1 })
  })
})
