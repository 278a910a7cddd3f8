import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { defineOperation } from '../../src/automation/operation.ts'
import { required } from '../../src/automation/parameter.ts'
import { jsonOfValue } from '../../src/automation/values/read-sent-properties.ts'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import type { JsonObject } from '../../src/model/properties/coercion.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const showVariable = defineOperation({
  id: 'Test.ShowVariable',
  category: 'Test',
  description: 'Gives a variable of the context.',
  effect: 'reads',
  params: { name: required('string') },
  run: ({ on }) => [
    on('void', 'map', (_, { params, context }) => {
      const value = context.variables.get(params.name)
      return { value: (value && jsonOfValue(value)) ?? null } as JsonObject
    }),
  ],
})

const plugin = definePlugin({
  name: 'test-directories',
  directories: [
    defineDirectory('fruit', { schema: 'vocabulary' }),
    defineDirectory('secretFruit', { schema: 'vocabulary', permissions: { read: ['gardeners'], write: ['gardeners'] } }),
    defineDirectory('fixedFruit', { schema: 'vocabulary', readOnly: true }),
    defineDirectory('variety', { schema: 'xvocabulary', parentDirectory: 'fruit' }),
  ],
  operations: [showVariable],
  chains: [
    defineChain({
      id: 'project',
      steps: [{ operation: 'Directory.Projection' }, { operation: 'Test.ShowVariable', params: { name: 'column' } }],
    }),
  ],
})

onEachServer(
  'operations on directories',
  (server) => {
    const call = operationsOn(server)
    const asBob = operationsOn(server, 'bob')
    const asKeeper = operationsOn(server, 'keeper')
    const json = (value: unknown) => JSON.stringify(value)

    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('keeper', ['powerusers'])
    })

    const entriesOf = async (directory: string): Promise<readonly Answered[]> => {
      const { body } = await server.as('Administrator').get(`/directory/${directory}?pageSize=0`)
      return body.entries.map(({ properties }: Answered) => properties)
    }
    const run = async (id: string, params: object, as = asKeeper): Promise<Answered> =>
      requireStatus(200, await as(id, { params }))

    beforeEach(async () => {
      const ids = (await entriesOf('fruit')).map(({ id }) => id)
      await run('Directory.DeleteEntries', { directoryName: 'fruit', entries: json(ids) })
      const entries = json([
        { id: 'apple', label: 'Apple', ordering: 1 },
        { id: 'pear', label: 'Pear', ordering: 2 },
        { id: 'plum', label: 'label.directories.nature.article', ordering: 3, obsolete: 1 },
      ])
      assert.deepEqual(await run('Directory.CreateEntries', { directoryName: 'fruit', entries }), ['apple', 'pear', 'plum'])
    })

    describe('Directory.CreateEntries', () => {
      test('creates entries with the defaults of the schema and gives their ids', async () => {
        const entries = json([{ id: 'fig', label: 'Fig', unknown: 'ignored' }, { id: 'kiwi' }])
        assert.deepEqual(await run('Directory.CreateEntries', { directoryName: 'fruit', entries }), ['fig', 'kiwi'])
        const [fig] = (await entriesOf('fruit')).filter(({ id }) => id === 'fig')
        assert.deepEqual(fig, { id: 'fig', label: 'Fig', obsolete: 0, ordering: 10_000_000 })
      })

      test('creates none when one of them is there already', async () => {
        const params = { directoryName: 'fruit', entries: json([{ id: 'fig' }, { id: 'apple' }]) }
        assertRefused(await asKeeper('Directory.CreateEntries', { params }), 409, /Entry with id apple already exists$/)
        assert.deepEqual(
          (await entriesOf('fruit')).map(({ id }) => id),
          ['apple', 'pear', 'plum'],
        )
      })
    })

    describe('Directory.UpdateEntries', () => {
      test('changes what is sent of the entries that there are, and gives their ids', async () => {
        const entries = json([
          { id: 'apple', label: 'Green apple' },
          { id: 'nothing', label: 'x' },
          { id: 'pear', ordering: 9 },
        ])
        assert.deepEqual(await run('Directory.UpdateEntries', { directoryName: 'fruit', entries }), ['apple', 'pear'])
        const shown = (await entriesOf('fruit')).map(({ id, label, ordering }) => [id, label, ordering])
        assert.deepEqual(shown.slice(0, 1), [['apple', 'Green apple', 1]])
        assert.deepEqual(shown.slice(2), [['pear', 'Pear', 9]])
      })

      test('is refused without an id', async () => {
        const params = { directoryName: 'fruit', entries: json([{ label: 'x' }]) }
        assertRefused(await asKeeper('Directory.UpdateEntries', { params }), 400, /Missing id$/)
      })
    })

    describe('Directory.DeleteEntries', () => {
      const ids = async () => (await entriesOf('fruit')).map(({ id }) => id)

      test('deletes entries and gives the ids of those that there were', async () => {
        const entries = json(['apple', 'nothing'])
        assert.deepEqual(await run('Directory.DeleteEntries', { directoryName: 'fruit', entries }), ['apple'])
        assert.deepEqual(await ids(), ['pear', 'plum'])
      })

      test('marks them as obsolete instead when told so', async () => {
        const params = { directoryName: 'fruit', entries: json(['apple']), markObsolete: true }
        assert.deepEqual(await run('Directory.DeleteEntries', params), ['apple'])
        const [apple] = await entriesOf('fruit')
        assert.deepEqual([apple.id, apple.obsolete, apple.label], ['apple', 1, 'Apple'])
      })

      test('is refused for an entry that another refers to', async () => {
        const params = { directoryName: 'continent', entries: json(['europe']) }
        assertRefused(await asKeeper('Directory.DeleteEntries', { params }), 409, /referenced in another vocabulary/)
      })
    })

    describe('Directory.ReadEntries', () => {
      test('gives all that entries hold, in the order of the ids, and leaves out what there is not', async () => {
        const params = { directoryName: 'fruit', entries: json(['pear', 'nothing', 'apple']) }
        assert.deepEqual(await run('Directory.ReadEntries', params), [
          { id: 'pear', label: 'Pear', obsolete: 0, ordering: 2 },
          { id: 'apple', label: 'Apple', obsolete: 0, ordering: 1 },
        ])
      })

      test('shows the text of label keys when told so', async () => {
        const params = { directoryName: 'fruit', entries: json(['plum']), translateLabels: true }
        assert.equal((await run('Directory.ReadEntries', params))[0].label, 'Article')
        const [plum] = await run('Directory.ReadEntries', { ...params, translateLabels: false })
        assert.equal(plum.label, 'label.directories.nature.article')
      })

      test('gives nothing of a directory that the caller may not read', async () => {
        await run('Directory.CreateEntries', { directoryName: 'secretFruit', entries: json([{ id: 'fig' }]) }, call)
        const params = { directoryName: 'secretFruit', entries: json(['fig']) }
        assert.deepEqual(await run('Directory.ReadEntries', params), [])
        assert.equal((await run('Directory.ReadEntries', params, call)).length, 1)
      })

      test('is for those who look after directories, be this one only read', async () => {
        const params = (directoryName: string) => ({ directoryName, entries: json(['apple']) })
        for (const directory of ['fruit', 'secretFruit', 'userDirectory'])
          assertRefused(
            await asBob('Directory.ReadEntries', { params: params(directory) }),
            403,
            /Not allowed to edit directory$/,
          )
        assert.deepEqual(await run('Directory.ReadEntries', params('fixedFruit')), [])
      })

      test('never shows passwords', async () => {
        const [user] = await run('Directory.ReadEntries', { directoryName: 'userDirectory', entries: json(['bob']) }, call)
        assert.equal(user.username, 'bob')
        assert.ok(!('password' in user))
      })
    })

    describe('Directory.Entries', () => {
      test('gives all entries, with a document as its input and without one', async () => {
        for (const input of [undefined, '/default-domain']) {
          const answer = await call('Directory.Entries', { input, params: { directoryName: 'fruit', translateLabels: true } })
          assert.deepEqual(
            requireStatus(200, answer).map(({ label }: Answered) => label),
            ['Apple', 'Pear', 'Article'],
          )
        }
      })

      test('is hidden from whoever is no administrator', async () => {
        assert.equal((await asKeeper('Directory.Entries', { params: { directoryName: 'fruit' } })).status, 404)
      })
    })

    describe('Directory.CreateVocabularyEntry', () => {
      const create = (params: object, as = asKeeper) => as('Directory.CreateVocabularyEntry', { params })

      test('creates an entry, with its id for a label', async () => {
        const answer = await create({ vocabularyName: 'fruit', id: 'fig' })
        assert.deepEqual([answer.status, answer.text], [204, ''])
        await create({ vocabularyName: 'variety', id: 'boskoop', label: 'Boskoop', parent: 'apple', obsolete: 1, ordering: 4 })
        assert.deepEqual((await entriesOf('fruit')).at(-1), { id: 'fig', label: 'fig', obsolete: 0, ordering: 10_000_000 })
        assert.deepEqual(await entriesOf('variety'), [
          { id: 'boskoop', label: 'Boskoop', parent: 'apple', obsolete: 1, ordering: 4 },
        ])
      })

      test('creates one entry for many who ask for it at the same time', async () => {
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => create({ vocabularyName: 'variety', id: 'cox', parent: 'apple' })),
        )
        for (const { status, text } of answers) assert.deepEqual([status, text], [204, ''])
      })

      test('leaves an entry alone that there is, and does nothing without an id', async () => {
        assert.equal((await create({ vocabularyName: 'fruit', id: 'apple', label: 'Other' })).status, 204)
        assert.equal((await create({ vocabularyName: 'fruit', id: ' ' })).status, 204)
        assert.deepEqual((await entriesOf('fruit')).map(({ label }) => label).slice(0, 2), ['Apple', 'Pear'])
        assert.equal((await entriesOf('fruit')).length, 3)
      })

      test('is refused to whoever does not look after vocabularies', async () => {
        assertRefused(await create({ vocabularyName: 'fruit', id: 'fig' }, asBob), 403, /Not allowed to edit directory$/)
        assertRefused(await create({ vocabularyName: 'nothing', id: 'fig' }), 404, /Directory nothing was not found$/)
      })
    })

    describe('Directory.Projection', () => {
      const project = async (params: object) =>
        requireStatus(200, await asBob('project', { params: { directoryName: 'fruit', variableName: 'column', ...params } }))
          .value.value

      for (const [what, params, values] of [
        ['all entries', { columnName: 'label' }, ['Apple', 'Pear', 'label.directories.nature.article']],
        ['entries with a value', { columnName: 'id', filters: { obsolete: 1 } }, ['plum']],
        ['entries with a value as a text', { columnName: 'ordering', filters: 'label=Pear' }, [2]],
        ['no entries', { columnName: 'id', filters: { label: 'pea' } }, []],
        [
          'entries with the beginning of a value',
          { columnName: 'id', filters: { label: 'pea' }, fulltextFields: ['label'] },
          ['pear'],
        ],
      ] as const) {
        test(`puts a column of ${what} into a variable`, async () => assert.deepEqual(await project(params), values))
      }

      test('is refused for fields that there are not, and for passwords', async () => {
        const refused = (params: object) => asBob('Directory.Projection', { params: { variableName: 'v', ...params } })
        const inFruit = { directoryName: 'fruit' }
        assertRefused(await refused({ ...inFruit, columnName: 'size' }), 400, /has no field size/)
        assertRefused(await refused({ ...inFruit, columnName: 'id', filters: { size: 1 } }), 400, /has no field size/)
        assertRefused(await refused({ ...inFruit, columnName: 'id', filters: { ordering: 'x' } }), 400, /whole number/)
        assertRefused(await refused({ directoryName: 'userDirectory', columnName: 'password' }), 400, /has no field password/)
        assertRefused(await refused({ directoryName: 'nothing', columnName: 'id' }), 404, /Directory nothing was not found$/)
      })
    })

    describe('what writes entries is refused', () => {
      const writing = {
        'Directory.CreateEntries': json([{ id: 'fig' }]),
        'Directory.UpdateEntries': json([{ id: 'apple', label: 'x' }]),
        'Directory.DeleteEntries': json(['apple']),
      }
      for (const [id, entries] of Object.entries(writing)) {
        const inDirectory = (directoryName: string, sent = entries) => ({ params: { directoryName, entries: sent } })

        test(`${id} to whoever does not look after directories`, async () => {
          assertRefused(await asBob(id, inDirectory('fruit')), 403, /Not allowed to edit directory$/)
          assertRefused(await asKeeper(id, inDirectory('secretFruit')), 403, /Not allowed to edit directory$/)
        })

        test(`${id} for a directory that nobody writes, that is of people, or that there is not`, async () => {
          assertRefused(await call(id, inDirectory('fixedFruit')), 403, /Directory is read-only$/)
          assertRefused(await call(id, inDirectory('userDirectory')), 400, /please use user\/group endpoints$/)
          assertRefused(await call(id, inDirectory('nothing')), 404, /Directory nothing was not found$/)
        })

        test(`${id} without a list as JSON`, async () => {
          for (const sent of ['no json', '{}', '[[]]', 'null']) {
            assertRefused(await asKeeper(id, inDirectory('fruit', sent)), 400, /entries must be the text of a JSON list of/)
          }
          assertRefused(await asKeeper(id, { params: { directoryName: 'fruit' } }), 400, /'entries'/)
        })
      }
    })
  },
  { plugins: [plugin] },
)
