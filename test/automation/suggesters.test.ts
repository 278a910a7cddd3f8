import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addGroup } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('2.4 Search.SuggestersLauncher', (server) => {
  const bench = workbenchOn(server)
  let report: Answered
  before(async () => {
    for (const user of ['bob', 'quinn', 'quito']) await server.addUser(user, ['members'])
    const properties = { username: 'quinn', firstName: 'Quentin', lastName: 'Doe' }
    requireStatus(200, await server.as('Administrator').put('/user/quinn', { 'entity-type': 'user', properties }))
    await addGroup(server, 'quality', { label: 'Quality & Safety' })
    report = await bench.create('File', { 'dc:title': 'Quarterly <report>' })
    await bench.create('File', { 'dc:title': 'the quarterly figures' })
    await bench.create('File', { 'dc:title': 'nothing of that', 'dc:description': 'quarterly' })
    await bench.restrict((await bench.create('File', { 'dc:title': 'Quarterly secret' })).uid)
  })
  const launch = (searchTerm?: unknown) => operationsOn(server, 'bob')('Search.SuggestersLauncher', { params: { searchTerm } })
  const suggest = async (term: string): Promise<readonly Answered[]> => requireStatus(200, await launch(term))
  const labels = async (term: string, type: string) =>
    (await suggest(term)).filter((one) => one.type === type).map(({ label }) => label)

  test('gives a JSON array', async () => {
    const answer = await launch('quar')
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.ok(Array.isArray(answer.body))
  })
  test('suggests nothing for no term, and for blanks', async () => {
    for (const term of [undefined, null, '', '   ']) assert.equal((await launch(term)).text, '[]')
  })

  describe('documents', () => {
    test('come with all that a search box shows', async () => {
      assert.deepEqual(await suggest('quarterly repo'), [
        {
          id: report.uid,
          label: 'Quarterly <report>',
          type: 'document',
          icon: '/icons/file.gif',
          thumbnailUrl: `api/v1/repo/default/id/${report.uid}/@rendition/thumbnail`,
          url: `nxdoc/default/${report.uid}`,
          highlights: [{ field: 'dc:title.fulltext', segments: ['<em>Quarterly</em> &lt;<em>report</em>&gt;'] }],
        },
      ])
    })
    test('are found by words of their title, the last not to its end, and only if they may be browsed', async () => {
      assert.deepEqual((await labels('QUARTERLY', 'document')).toSorted(), ['Quarterly <report>', 'the quarterly figures'])
      assert.deepEqual(await labels('quarterly fig', 'document'), ['the quarterly figures'])
      assert.deepEqual(await labels('figures quarterly', 'document'), [])
    })
  })

  describe('people', () => {
    test('come with their name as label', async () => {
      const quinn = { id: 'quinn', label: 'Quentin Doe', type: 'user', url: 'user/quinn' }
      assert.deepEqual(await suggest('quin'), [{ ...quinn, icon: null, thumbnailUrl: null, highlights: [] }])
      assert.deepEqual(await labels('quentin', 'user'), ['Quentin Doe'])
      assert.deepEqual(await labels('quit', 'user'), ['quito'])
    })
    test('come in groups, too', async () => {
      const quality = { id: 'quality', label: 'Quality & Safety', type: 'group', url: 'group/quality' }
      assert.deepEqual(await suggest('quali'), [{ ...quality, icon: null, thumbnailUrl: null, highlights: [] }])
    })
    test('come behind documents, users before groups', async () => {
      const types = (await suggest('qu')).map(({ type }) => type)
      assert.deepEqual(types, ['document', 'document', 'user', 'user', 'group'])
    })
  })

  test('is content with whatever is typed', async () => {
    for (const term of ["o'brien", '"', '%', '?', '*', '\\', '((', 'a AND', '-', ':x', '/* */', "' OR 1=1"]) {
      assert.ok(Array.isArray(await suggest(term)), term)
    }
  })
  test('refuses what is no text', async () => {
    assertRefused(await launch({ term: 'x' }), 400, /'searchTerm' must be of type string/)
  })
})
