import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const plugin = definePlugin({
  name: 'test-suggestions',
  directories: [
    defineDirectory('mood', {
      schema: 'vocabulary',
      dataFile: async () => [
        { id: 'happy', label: 'Happy', ordering: '2' },
        { id: 'haggard', label: 'haggard', ordering: '1' },
        { id: 'merry', label: 'Merry and happy', ordering: '3' },
        { id: 'grim', label: 'Grim', ordering: '4', obsolete: '1' },
      ],
    }),
    defineDirectory('hiddenMood', {
      schema: 'vocabulary',
      permissions: { read: ['nobody'], write: ['nobody'] },
      dataFile: async () => [{ id: 'sly', label: 'Sly' }],
    }),
    defineDirectory('shade', {
      schema: 'xvocabulary',
      parentDirectory: 'mood',
      dataFile: async () => [
        { id: 'glad', label: 'Glad', parent: 'happy' },
        { id: 'gleeful', label: 'Gleeful', parent: 'happy' },
        { id: 'grey', label: 'Grey', parent: 'grim' },
        { id: 'lone', label: 'Lone', parent: 'nowhere' },
      ],
    }),
    defineDirectory('shaft', {
      schema: 'xvocabulary',
      parentDirectory: 'shaft',
      dataFile: async () =>
        Array.from({ length: 3_000 }, (_, level) => ({
          id: `${level}`,
          label: `Level ${level}`,
          parent: level === 0 ? '' : `${level - 1}`,
        })),
    }),
    defineDirectory('crowd', {
      schema: 'vocabulary',
      dataFile: async () => Array.from({ length: 3_000 }, (_, id) => ({ id: `${id}`, label: `${'who '.repeat(25)}${id}` })),
    }),
  ],
})

interface Shown {
  readonly displayLabel: string
  readonly children?: readonly Shown[]
}

const outline = (nodes: readonly Shown[]): unknown =>
  nodes.map(({ displayLabel, children }) => (children === undefined ? displayLabel : { [displayLabel]: outline(children) }))

onEachServer(
  'Directory.SuggestEntries',
  (server) => {
    const call = operationsOn(server, 'bob')
    const suggest = async (params: object): Promise<readonly Answered[]> =>
      requireStatus(200, await call('Directory.SuggestEntries', { params }))
    const outlineOf = async (params: object) => outline(await suggest(params))

    before(() => server.addUser('bob', ['members']))

    test('gives entries with all that they hold and what they are called', async () => {
      const answer = await call('Directory.SuggestEntries', { params: { directoryName: 'mood', searchTerm: 'happy' } })
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      const fields = { id: 'happy', label: 'Happy', obsolete: 0, ordering: 2 }
      assert.deepEqual(requireStatus(200, answer), [
        {
          ...fields,
          displayLabel: 'Happy',
          directoryName: 'mood',
          properties: fields,
          'entity-type': 'directoryEntry',
          computedId: 'happy',
          absoluteLabel: 'Happy',
        },
      ])
    })

    describe('of a flat vocabulary finds', () => {
      for (const [what, params, labels] of [
        ['all in their order', {}, ['haggard', 'Happy', 'Merry and happy']],
        ['what begins so in any case', { searchTerm: 'HA' }, ['haggard', 'Happy']],
        ['the same by the older name of the term', { prefix: 'ha' }, ['haggard', 'Happy']],
        ['what begins so in this case', { searchTerm: 'Ha', caseSensitive: true }, ['Happy']],
        ['what holds it', { searchTerm: 'happy', contains: true }, ['Happy', 'Merry and happy']],
        ['nothing that begins otherwise', { searchTerm: 'appy' }, []],
        ['as many as are wanted', { limit: 1 }, ['haggard']],
        ['none when none is wanted', { limit: 0 }, []],
        ['by another field', { labelFieldName: 'id', searchTerm: 'mer' }, ['merry']],
        ['what has a value', { filters: { ordering: 3 } }, ['Merry and happy']],
        ['what has a value as a text', { filters: 'ordering=2' }, ['Happy']],
      ] as const) {
        test(what, async () => assert.deepEqual(await outlineOf({ directoryName: 'mood', ...params }), labels))
      }

      test('obsolete entries only when they are wanted, and warns of them', async () => {
        const [grim] = await suggest({ directoryName: 'mood', searchTerm: 'grim', displayObsoleteEntries: true })
        assert.equal(grim.warn_message, 'This value is obsolete.')
        const params = { directoryName: 'mood', searchTerm: 'grim', displayObsoleteEntries: true, lang: 'fr_FR' }
        assert.equal((await suggest(params))[0].warn_message, 'Cette valeur est obsolète.')
        assert.deepEqual(await suggest({ directoryName: 'mood', searchTerm: 'grim' }), [])
      })
    })

    describe('of keys finds', () => {
      const natures = { directoryName: 'nature', localize: true }

      test('the texts that they stand for, in the language', async () => {
        assert.deepEqual(await outlineOf({ ...natures, searchTerm: 'art' }), ['Article'])
        const [first] = await suggest({ ...natures, searchTerm: 'fact', lang: 'fr' })
        assert.equal(first.id, 'invoice')
        assert.equal(first.label, 'label.directories.nature.invoice')
      })

      test('all of them in the order of the texts, whatever limit there is', async () => {
        const labels = (await suggest({ ...natures, limit: 1 })).map(({ displayLabel }) => displayLabel)
        assert.equal(labels.length, 37)
        assert.deepEqual(labels, labels.toSorted(new Intl.Collator('en').compare))
      })

      test('the keys themselves when nobody asks for texts', async () => {
        const found = await outlineOf({ directoryName: 'nature', searchTerm: 'label.directories.nature.art' })
        assert.deepEqual(found, ['label.directories.nature.article'])
      })

      test('texts in the language of the context', async () => {
        const answer = await call('Directory.SuggestEntries', {
          params: { ...natures, searchTerm: 'fact' },
          context: { lang: 'fr' },
        })
        assert.equal(requireStatus(200, answer)[0].id, 'invoice')
      })
    })

    describe('of a vocabulary below another one', () => {
      test('puts entries below their parents, which are headings', async () => {
        assert.deepEqual(await suggest({ directoryName: 'shade', searchTerm: 'glad' }), [
          {
            displayLabel: 'Happy',
            children: [
              {
                ...{ id: 'glad', label: 'Glad', parent: 'happy', obsolete: 0, ordering: 10_000_000 },
                displayLabel: 'Glad',
                directoryName: 'shade',
                properties: { id: 'glad', label: 'Glad', parent: 'happy', obsolete: 0, ordering: 10_000_000 },
                'entity-type': 'directoryEntry',
                computedId: 'happy/glad',
                absoluteLabel: 'Happy/Glad',
              },
            ],
          },
        ])
      })

      test('joins ids and labels as is wanted', async () => {
        const [happy] = await suggest({
          directoryName: 'shade',
          searchTerm: 'glad',
          keySeparator: '-',
          absoluteLabelSeparator: ' > ',
        })
        assert.deepEqual([happy.children[0].computedId, happy.children[0].absoluteLabel], ['happy-glad', 'Happy > Glad'])
      })

      test('shows parents in full when they can be selected', async () => {
        const [happy] = await suggest({ directoryName: 'shade', searchTerm: 'gl', canSelectParent: true })
        assert.deepEqual([happy.id, happy.directoryName, happy.computedId, happy.children.length], ['happy', 'mood', 'happy', 2])
      })

      test('keeps entries of an obsolete parent as long as that is but a heading', async () => {
        assert.deepEqual(await outlineOf({ directoryName: 'shade', searchTerm: 'gre' }), [{ Grim: ['Grey'] }])
        assert.deepEqual(await outlineOf({ directoryName: 'shade', searchTerm: 'gre', canSelectParent: true }), [])
      })

      test('shows an entry whose parent is not there at the top', async () => {
        assert.deepEqual(await outlineOf({ directoryName: 'shade', searchTerm: 'lone' }), ['Lone'])
      })

      test('translates keys on every level', async () => {
        const found = await outlineOf({ directoryName: 'country', localize: true, searchTerm: 'portu', lang: 'en' })
        assert.deepEqual(found, [{ Europe: ['Portugal'] }])
      })
    })

    describe('of a vocabulary that is its own parent', () => {
      const subjects = { directoryName: 'l10nsubjects', dbl10n: true, lang: 'en' }

      test('finds leaves, below their parents, by the labels of the language', async () => {
        assert.deepEqual(await outlineOf({ ...subjects, searchTerm: 'comi' }), [{ Art: ['Comics'] }])
        assert.deepEqual(await outlineOf({ directoryName: 'l10ncoverage', dbl10n: true, lang: 'fr', searchTerm: 'allem' }), [
          { Europe: ['Allemagne'] },
        ])
        assert.deepEqual(await outlineOf({ ...subjects, searchTerm: 'sciences' }), [])
      })

      test('finds parents, too, when told so', async () => {
        const found = await suggest({ ...subjects, searchTerm: 'sciences', filterParent: true })
        assert.deepEqual([found.length, found[0].id, found[0].children], [1, 'sciences', undefined])
      })

      test('has labels in English where there are none in the language, and takes a pattern for their field', async () => {
        assert.deepEqual(await outlineOf({ ...subjects, lang: 'de', searchTerm: 'comi' }), [{ Art: ['Comics'] }])
        const byPattern = { ...subjects, labelFieldName: 'label_{lang}', searchTerm: 'comi' }
        assert.deepEqual(await outlineOf(byPattern), [{ Art: ['Comics'] }])
      })

      test('leaves out what stands deeper than 32 levels', async () => {
        const shaft = { directoryName: 'shaft', canSelectParent: true, filterParent: true }
        const levels: string[] = []
        for (let [node] = await suggest(shaft); node !== undefined; [node] = node.children ?? []) levels.push(node.id)
        assert.deepEqual(
          levels,
          Array.from({ length: 32 }, (_, level) => `${level}`),
        )
        assert.deepEqual(await suggest({ directoryName: 'shaft', searchTerm: 'Level 2999' }), [])
      })
    })

    test('is refused where all entries together take more than a call may make', async () => {
      const answer = await call('Directory.SuggestEntries', { params: { directoryName: 'crowd' } })
      assertRefused(answer, 400, /takes more than the 1000000 bytes/)
      const found = await suggest({ directoryName: 'crowd', searchTerm: `${'who '.repeat(25)}299` })
      assert.equal(found.length, 11)
    })

    test('gives nothing of a directory that the caller may not read', async () => {
      assert.deepEqual(await suggest({ directoryName: 'hiddenMood' }), [])
    })

    test('never tells of passwords, neither as labels nor by what is searched for nor in what it says of fields', async () => {
      const users = { directoryName: 'userDirectory', filters: { username: 'bob' } }
      for (const wish of [
        { labelFieldName: 'password' },
        { labelFieldName: 'password', searchTerm: '{' },
        { labelFieldName: 'pass{lang}', dbl10n: true, lang: 'word' },
        { labelFieldName: 'pass{lang}', dbl10n: true, lang: 'wo' },
      ]) {
        const answer = await call('Directory.SuggestEntries', { params: { ...users, ...wish } })
        assertRefused(answer, 400, /no field pass.* for labels\. It has username, firstName/)
        assert.doesNotMatch(answer.body.message.split('It has')[1] ?? '', /password/)
      }
      const shown = JSON.stringify(await suggest({ ...users, labelFieldName: 'username' }))
      assert.match(shown, /"bob"/)
      assert.doesNotMatch(shown, /password|ARGON|SSHA/)
    })

    for (const [why, params, status, message] of [
      ['for a directory that there is not', { directoryName: 'nothing' }, 404, /Directory nothing was not found$/],
      ['without a directory', {}, 400, /'directoryName'/],
      ['for labels in a field that there is not', { directoryName: 'mood', labelFieldName: 'x' }, 400, /no field x for labels/],
      ['for labels of each language where there are none', { directoryName: 'l10nsubjects' }, 400, /no field label for labels/],
      ...['keySeparator', 'absoluteLabelSeparator'].map(
        (name) =>
          [
            `for a ${name} that makes every entry long`,
            { directoryName: 'mood', [name]: 'x'.repeat(101) },
            400,
            new RegExp(`${name} has 101 characters\\. Use at most 100\\.$`),
          ] as const,
      ),
      ['for a filter of a field that there is not', { directoryName: 'mood', filters: { x: 1 } }, 400, /has no field x/],
      ['for a filter that the field cannot have', { directoryName: 'mood', filters: { ordering: 'x' } }, 400, /whole number/],
    ] as const) {
      test(`is refused ${why} with ${status}`, async () => {
        assertRefused(await call('Directory.SuggestEntries', { params }), status, message)
      })
    }
  },
  { plugins: [plugin], settings: { expressionMaxBytes: '1MB' } },
)
