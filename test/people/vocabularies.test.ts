import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const vocabulary = (name: string, options: object = {}) =>
  defineDirectory(name, {
    schema: 'l10nxvocabulary',
    parentDirectory: name,
    dataFile: async () => [
      { id: 'b', label_en: 'Bee', label_fr: 'Abeille' },
      { id: 'a', label_en: 'Ant', label_fr: 'Fourmi', parent: 'b' },
    ],
    ...options,
  })

const shelves = definePlugin({
  name: 'shelves',
  directories: [
    ...['animals', 'ordered', 'taken', 'wrong', 'round', 'many'].map((name) => vocabulary(name)),
    vocabulary('frozen', { readOnly: true }),
    vocabulary('secrets', { types: ['system'], permissions: { read: [], write: [] } }),
    vocabulary('few', { uniqueFields: ['label_en'], indexedFields: ['label_en'] }),
  ],
})

onEachServer(
  'vocabularies as a whole',
  (server) => {
    before(async () => {
      await server.addUser('bob')
      await server.addUser('pat', ['powerusers'])
    })
    const admin = () => server.as('Administrator')
    const at = (directory: string, what: string) => `/management/directories/${directory}/${what}`
    const send = (directory: string, csv: string | Uint8Array, query = '') =>
      admin().call('POST', `api/v1${at(directory, 'csv')}${query}`, { headers: { 'content-type': 'text/csv' }, body: csv })
    const exported = async (directory: string) => (await admin().get(at(directory, 'csv'))).text
    const entriesOf = async (directory: string) =>
      ((await admin().get(`/directory/${directory}?pageSize=0`)).body.entries as { properties: unknown }[]).map(
        ({ properties }) => properties,
      )

    test('are listed with how many entries they have and whether they can be changed', async () => {
      const { entries } = (await admin().get('/management/directories')).body
      const of = (wanted: string) => entries.find(({ name }: { name: string }) => name === wanted)
      assert.deepEqual(of('frozen'), {
        name: 'frozen',
        schema: 'l10nxvocabulary',
        fields: [
          ...['id', 'label_en', 'label_fr', 'parent'].map((name) => ({ name, type: 'string' })),
          ...['obsolete', 'ordering'].map((name) => ({ name, type: 'long' })),
        ],
        idField: 'id',
        parent: 'frozen',
        isEditable: false,
        count: 2,
      })
      const { resultsCount } = (await admin().get('/directory/country')).body
      assert.equal(of('country').count, resultsCount)
      assert.equal(of('country').isEditable, true)
      assert.equal(of('eventTypes').schema, 'vocabulary')
      for (const other of ['userDirectory', 'groupDirectory', 'secrets', 'aceinfo', 'documentsLists', 'oauth2Clients'])
        assert.equal(of(other), undefined, other)
    })

    test('belong to administrators alone', async () => {
      for (const user of ['bob', 'pat']) {
        assertRefused(await server.as(user).get('/management/directories'), 403, /Only administrators/)
        assertRefused(await server.as(user).get(at('animals', 'csv')), 403, /Only administrators/)
        assertRefused(await server.as(user).post(at('animals', 'csv'), 'id\nx'), 403, /Only administrators/)
        assertRefused(await server.as(user).put(at('animals', 'order'), { ids: ['a'] }), 403, /Only administrators/)
      }
      assert.equal((await entriesOf('animals')).length, 2)
    })

    test('are not people, secrets or what is read-only', async () => {
      for (const directory of ['userDirectory', 'groupDirectory', 'secrets']) {
        assertRefused(await admin().get(at(directory, 'csv')), 400, /is no vocabulary/)
        assertRefused(await send(directory, 'id\nx'), 400, /is no vocabulary/)
        assertRefused(await admin().put(at(directory, 'order'), { ids: [] }), 400, /is no vocabulary/)
      }
      assertRefused(await admin().get(at('nosuch', 'csv')), 404, 'Directory nosuch was not found')
      assertRefused(await send('frozen', 'id\nx'), 403, 'Directory is read-only')
      assertRefused(await admin().put(at('frozen', 'order'), { ids: ['a'] }), 403, 'Directory is read-only')
      assert.match((await exported('frozen')) ?? '', /^id,label_en/)
    })

    describe('in an order of their own', () => {
      test('show the entries in it, and new ones behind', async () => {
        assert.equal((await admin().put(at('ordered', 'order'), { ids: ['b', 'a'] })).status, 204)
        await admin().post('/directory/ordered', { 'entity-type': 'directoryEntry', properties: { id: '0', label_en: 'New' } })
        assert.deepEqual(
          (await entriesOf('ordered')).map((entry) => (entry as { id: string }).id),
          ['b', 'a', '0'],
        )
        assert.equal((await admin().get('/directory/ordered/b')).body.properties.ordering, 10)
      })

      test('are left alone when one of the ids is not there, or there are too many', async () => {
        const before = await entriesOf('taken')
        assertRefused(await admin().put(at('taken', 'order'), { ids: ['a', 'nosuch'] }), 404, 'Entry not found')
        const ids = Array.from({ length: 5_001 }, (_, index) => `x${index}`)
        assertRefused(await admin().put(at('taken', 'order'), { ids }), 400, /no more than 5000/)
        assert.deepEqual(await entriesOf('taken'), before)
      })
    })

    describe('as CSV', () => {
      test('come back as they were, also with quotes, line ends and what looks like a formula', async () => {
        const odd = { id: 'odd', label_en: '=1+1', label_fr: 'dit "a,b"\n\\c', parent: 'b', obsolete: 1, ordering: -5 }
        await admin().post('/directory/round', { 'entity-type': 'directoryEntry', properties: odd })
        const before = await entriesOf('round')
        const text = (await exported('round')) ?? ''
        assert.match(text, /^id,label_en,label_fr,parent,obsolete,ordering\r\nodd,'=1\+1,/)
        assert.deepEqual((await send('round', text)).body, {
          'entity-type': 'importedEntries',
          created: 0,
          updated: 0,
          unchanged: 3,
        })
        for (const id of ['odd', 'a']) assert.equal((await admin().delete(`/directory/round/${id}`)).status, 204)
        assert.equal((await send('round', text)).body.created, 2)
        assert.deepEqual(await entriesOf('round'), before)
      })

      test('change only the columns that they have, and empty what is empty', async () => {
        const { body } = await send('animals', '\uFEFFid,parent\r\na,\r\nc,b\r\n\r\n')
        assert.deepEqual(body, { 'entity-type': 'importedEntries', created: 1, updated: 1, unchanged: 0 })
        assert.deepEqual((await admin().get('/directory/animals/a')).body.properties, {
          id: 'a',
          label_en: 'Ant',
          label_fr: 'Fourmi',
          parent: null,
          obsolete: 0,
          ordering: 10_000_000,
        })
        assert.equal((await admin().get('/directory/animals/c')).body.properties.parent, 'b')
        const skipped = await send('animals', 'id,label_en\na,Other\nd,Dog', '?taken=skip')
        assert.deepEqual(skipped.body, { 'entity-type': 'importedEntries', created: 1, updated: 0, unchanged: 1 })
        assert.equal((await admin().get('/directory/animals/a')).body.properties.label_en, 'Ant')
        assert.equal((await admin().get('/directory/animals?q=do')).body.resultsCount, 1)
      })

      const mistakes: readonly [csv: string, sentence: RegExp][] = [
        ['', /begin with the names of the columns/],
        ['label_en\nx', /Record 1 .* names no column id/],
        ['id,colour\nx,red', /Record 1 .* names the column colour, which is none of id, label_en/],
        ['id,id\nx,y', /Record 1 .* names the column id twice/],
        ['id,obsolete\nx,maybe', /Record 2 .* takes a whole number, not "maybe"/],
        ['id,label_en\nx,X\n,Y', /Record 3 .*Missing id/],
        ['id\nx\nx', /Record 3 .* has the id x, as record 2 has/],
        ['id\nx,y', /Record 2 .* has 2 cells where the header names 1/],
        ['id\n..', /Record 2 .* no address can hold/],
        ['id,label_en\nx,"never closed'.padEnd(120_000, 'z'), /Record 2 .* more than 100000 characters/],
      ]
      for (const [csv, sentence] of mistakes)
        test(`are refused as a whole: ${sentence}`, async () => {
          const before = await entriesOf('wrong')
          assertRefused(await send('wrong', csv), 400, sentence)
          assert.deepEqual(await entriesOf('wrong'), before)
        })

      test('are refused where they are not in UTF-8', async () => {
        assertRefused(await send('wrong', Buffer.from('id\ncaf\u00e9', 'latin1')), 400, /is not in UTF-8/)
      })

      test('are refused as a whole where a value is taken', async () => {
        assertRefused(await send('few', 'id,label_en\nx,X\ny,Bee'), 409, /has the label_en Bee already/)
        assert.equal((await entriesOf('few')).length, 2)
      })

      test('hold no more entries than are taken at once', async () => {
        const lines = Array.from({ length: 20_001 }, (_, index) => `x${index}`)
        assertRefused(await send('many', `id\n${lines.join('\n')}`), 400, /at most 20000/)
        assert.equal((await send('many', `id\n${'x\n'.repeat(5_000_001)}`)).status, 413)
        assert.equal((await send('many', `id\n${lines.slice(0, 2_000).join('\n')}`)).body.created, 2_000)
      })
    })
  },
  { plugins: [shelves] },
)
