import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Log, LogFields } from '../../src/base/log.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const warnings: LogFields[] = []
const log: Log = { debug() {}, info() {}, warn: (fields) => warnings.push(fields), error() {} }

type Asked = { readonly [name: string]: string }

onEachServer(
  'how an answer is shaped',
  (server) => {
    const bench = workbenchOn(server)

    const readWorkspaces = async (asked: { headers?: Asked; query?: string }) => {
      const query = asked.query === undefined ? '' : `?${asked.query}`
      return requireStatus(200, await server.as('Administrator').get(`/path${workspaces}${query}`, asked.headers))
    }

    describe('by a name', () => {
      const schemasShown = (entity: Answered) => [
        ...new Set(Object.keys(entity.properties ?? {}).map((name) => name.split(':')[0])),
      ]
      const enrichersShown = (entity: Answered) => Object.keys(entity.contextParameters ?? {})
      const isLabelShown = (entity: Answered) => 'versionLabel' in entity

      const settings = [
        {
          about: 'schemas',
          names: ['properties', 'X-NXproperties', 'X-NXDocumentProperties'],
          value: 'dublincore',
          shown: schemasShown,
          expected: ['dc'],
        },
        {
          about: 'enrichers',
          names: [
            'enrichers-document',
            'enrichers.document',
            'X-NXenrichers-document',
            'X-NXenrichers.document',
            'X-NXContext-Category',
          ],
          value: 'permissions',
          shown: enrichersShown,
          expected: ['permissions'],
        },
        {
          about: 'what is fetched',
          names: ['fetch-document', 'fetch.document', 'X-NXfetch-document', 'X-NXfetch.document'],
          value: 'versionLabel',
          shown: isLabelShown,
          expected: true,
        },
      ]
      for (const { about, names, value, shown, expected } of settings) {
        for (const name of names) {
          test(`${name} sets ${about}, as header and as query parameter, in any case`, async () => {
            assert.deepEqual(shown(await readWorkspaces({ headers: { [name]: value } })), expected)
            for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
              assert.deepEqual(shown(await readWorkspaces({ query: `${spelling}=${value}` })), expected, spelling)
            }
          })
        }
      }

      const translateNames = [
        'translate-directoryEntry',
        'translate.directoryEntry',
        'X-NXtranslate-directoryEntry',
        'X-NXtranslate.directoryEntry',
      ]
      for (const name of translateNames) {
        test(`${name} sets what is translated, as header and as query parameter`, async () => {
          const { uid } = await bench.create('File', { 'dc:nature': 'article' })
          const fetched = { properties: 'dublincore', 'fetch-document': 'dc:nature', 'Accept-Language': 'fr' }
          const label = async (query: string, headers: Asked) => {
            const entity = requireStatus(200, await server.as('Administrator').get(`/id/${uid}${query}`, headers))
            return entity.properties['dc:nature'].properties.label
          }
          assert.equal(await label('', fetched), 'label.directories.nature.article')
          assert.equal(await label('', { ...fetched, [name]: 'label' }), 'Article')
          assert.equal(await label(`?${name}=label`, fetched), 'Article')
        })
      }

      test('of another entity type sets nothing for documents', async () => {
        const entity = await readWorkspaces({
          headers: { 'enrichers-user': 'permissions', 'fetch-blob': 'versionLabel', 'fetch-document.x': 'versionLabel' },
        })
        assert.ok(!isLabelShown(entity) && enrichersShown(entity).length === 0)
      })
    })

    describe('by schemas', () => {
      const shown = async (asked: { headers?: Asked; query?: string }) => Object.keys((await readWorkspaces(asked)).properties)
      const prefixes = (names: readonly string[]) => [...new Set(names.map((name) => name.split(':')[0]))]

      test('shows all fields of each schema asked for and no others', async () => {
        assert.deepEqual(await shown({ headers: { properties: 'facetedTag' } }), ['nxtag:tags'])
        assert.deepEqual(await shown({ headers: { properties: 'common' } }), ['common:icon', 'common:icon-expanded'])
      })

      test('takes names of schemas, not prefixes', async () => {
        assert.deepEqual(await shown({ headers: { properties: 'dc,nxtag' } }), [])
      })

      test('shows all schemas of the document for *, whatever stands beside it', async () => {
        for (const properties of ['*', ' * ', 'common,*', '*,unheard-of']) {
          assert.deepEqual(prefixes(await shown({ headers: { properties } })), ['common', 'dc', 'nxtag'], properties)
        }
      })

      test('splits at commas, drops blanks and repetitions, and orders by schema', async () => {
        for (const properties of ['facetedTag,common', ' facetedTag , common ,, facetedTag', 'unheard-of,facetedTag,common']) {
          assert.deepEqual(prefixes(await shown({ headers: { properties } })), ['common', 'nxtag'], properties)
        }
      })

      test('joins what headers and parameters of all names ask for', async () => {
        const asked = {
          headers: { 'X-NXDocumentProperties': 'facetedTag' },
          query: 'properties=common&X-NXproperties=dublincore&properties=note',
        }
        assert.deepEqual(prefixes(await shown(asked)), ['common', 'dc', 'nxtag'])
      })

      test('names the fields of a schema without prefix by the schema', async () => {
        const { uid } = await bench.create('Filled')
        const { properties } = await bench.read(uid, { properties: 'filled' })
        assert.deepEqual(Object.keys(properties), ['filled:word', 'filled:number', 'filled:words', 'filled:part'])
      })

      test('applies to each entry of a list and to what POST and PUT answer', async () => {
        const { uid, path, properties } = await bench.create('Folder', {}, { headers: { properties: 'common' } })
        assert.deepEqual(Object.keys(properties), ['common:icon', 'common:icon-expanded'])
        assert.ok('nxtag:tags' in (await bench.update(uid, {}, { properties: 'facetedTag' })).properties)
        await bench.create('File', {}, { parent: path })
        await bench.create('Note', {}, { parent: path })
        const { entries } = requireStatus(
          200,
          await server
            .as('Administrator')
            .get(`/path${path}/@children`, { properties: 'note', 'enrichers-document': 'highlight' }),
        )
        const fields = entries.map((entry: Answered) => [entry.type, Object.keys(entry.properties), entry.contextParameters])
        assert.deepEqual(fields, [
          ['File', [], { highlight: [] }],
          ['Note', ['note:note', 'note:mime_type'], { highlight: [] }],
        ])
      })
    })

    describe('by enrichers', () => {
      const shown = async (asked: { headers?: Asked; query?: string }) => (await readWorkspaces(asked)).contextParameters

      test('writes them in alphabetical order, whatever the order asked for', async () => {
        const enrichers = 'thumbnail, acls ,preview,breadcrumb'
        assert.deepEqual(Object.keys(await shown({ headers: { 'enrichers-document': enrichers } })), [
          'acls',
          'breadcrumb',
          'preview',
          'thumbnail',
        ])
      })

      test('ignores those that nobody knows', async () => {
        assert.equal(await shown({ headers: { 'enrichers-document': 'unheard-of' } }), undefined)
        assert.deepEqual(Object.keys(await shown({ headers: { 'enrichers-document': 'unheard-of,tags' } })), ['tags'])
      })

      test('joins all that is asked for', async () => {
        const headers = { 'enrichers.document': 'tags', 'X-NXContext-Category': 'acls,tags' }
        const query = 'enrichers-document=preview&enrichers-document=hasContent&X-NXenrichers.document=favorites'
        assert.deepEqual(Object.keys(await shown({ headers, query })), ['acls', 'favorites', 'hasContent', 'preview', 'tags'])
      })

      test('leaves out one that fails, tells the log, and answers the rest', async () => {
        warnings.length = 0
        const headers = { properties: 'facetedTag', 'enrichers-document': 'failing,favorites,acls' }
        const entity = await readWorkspaces({ headers })
        assert.deepEqual(Object.keys(entity.contextParameters), ['acls', 'favorites'])
        assert.deepEqual(Object.keys(entity.properties), ['nxtag:tags'])
        assert.deepEqual(
          warnings.map(({ event, enricher, subject }) => [event, enricher, subject]),
          [['enricher.failed', 'failing', entity.uid]],
        )
      })

      test('has empty context parameters when the only one asked for fails', async () => {
        assert.deepEqual(await shown({ headers: { 'enrichers-document': 'failing' } }), {})
      })
    })

    describe('by depth', () => {
      /** For each level of a chain of folders, whether it has properties and context parameters. */
      async function levelsInFull(asked: { headers?: Asked; query?: string }): Promise<string[]> {
        const levels: string[] = []
        const headers = { properties: 'dublincore', 'enrichers-document': 'children', ...asked.headers }
        const { path } = chain
        const query = asked.query === undefined ? '' : `?${asked.query}`
        let entity = requireStatus(200, await server.as('Administrator').get(`/path${path}${query}`, headers))
        while (entity !== undefined) {
          const has = (field: string) => field in entity
          assert.equal(has('properties'), has('contextParameters'), entity.path)
          levels.push(has('properties') ? 'full' : 'base')
          entity = entity.contextParameters?.children.entries[0]
        }
        return levels
      }

      async function createChain(): Promise<{ path: string }> {
        const top = await bench.create('Folder')
        let parent = top.path
        for (let level = 1; level <= 4; level++) parent = (await bench.create('Folder', {}, { parent })).path
        return top
      }
      let chain: { path: string }
      before(async () => {
        chain = await createChain()
      })

      const root = ['full', 'base']
      const children = ['full', 'full', 'base']
      const max = ['full', 'full', 'full', 'base']
      const depths = [
        { asked: {}, expected: root, name: 'no depth' },
        { asked: { headers: { depth: 'root' } }, expected: root, name: 'root' },
        { asked: { headers: { depth: 'children' } }, expected: children, name: 'children' },
        { asked: { headers: { depth: 'max' } }, expected: max, name: 'max' },
        { asked: { query: 'depth=max' }, expected: max, name: 'max as a parameter' },
        { asked: { query: 'DEPTH=children' }, expected: children, name: 'children as a parameter in another case' },
        { asked: { query: 'depth=children&depth=max' }, expected: children, name: 'the first of two' },
        { asked: { headers: { depth: 'bottomless' } }, expected: root, name: 'an unheard-of depth' },
        { asked: { headers: { depth: '3' } }, expected: root, name: 'a number' },
      ]
      for (const { asked, expected, name } of depths) {
        test(`${name} shows ${expected.length - 1} level(s) in full`, async () => {
          assert.deepEqual(await levelsInFull(asked), expected)
        })
      }

      test('counts each entry of a list as the top', async () => {
        const { path } = chain
        const headers = { properties: 'dublincore', 'enrichers-document': 'children' }
        const { entries } = requireStatus(200, await server.as('Administrator').get(`/path${path}/@children`, headers))
        assert.ok('properties' in entries[0])
        const [nested] = entries[0].contextParameters.children.entries
        assert.ok(!('properties' in nested) && !('contextParameters' in nested))
      })

      test('limits fetched documents like those of enrichers', async () => {
        const target = await bench.create('File', { 'dc:title': 'target' })
        const { uid } = await bench.create('Referring', { 'ref:byIdOnly': target.uid })
        const headers = { properties: 'referring,dublincore', 'fetch-document': 'ref:byIdOnly' }
        const fetched = async (depth: string) => (await bench.read(uid, { ...headers, depth })).properties['ref:byIdOnly']
        assert.ok(!('properties' in (await fetched('root'))))
        assert.equal((await fetched('children')).properties['dc:title'], 'target')
      })
    })
  },
  { plugins: [specimens], log },
)
