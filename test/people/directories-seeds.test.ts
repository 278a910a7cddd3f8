import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  type DirectoryDefinition,
  type DirectoryOptions,
  defineDirectory,
  type LoadingPolicy,
} from '../../src/core/directories/directory-definition.ts'
import { boolean, complex, date, double, list, long, string } from '../../src/model/field.ts'
import { defineSchema } from '../../src/model/schema.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type DatabasePlace, engines } from '../support/database-place.ts'
import { freshPlace } from '../support/fresh-place.ts'

const tool = defineSchema('tool', {
  fields: {
    code: string(),
    label: string(),
    weight: double(),
    pieces: long({ default: 1 }),
    isSharp: boolean({ default: false }),
    since: date(),
    colours: list(string()),
    size: complex({ width: long(), height: long() }),
  },
})

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seeds-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, content: string): Promise<URL> {
  const path = join(folder, name)
  await writeFile(path, content)
  return pathToFileURL(path)
}

const pluginWith = (...directories: readonly DirectoryDefinition[]) =>
  definePlugin({ name: 'tools', schemas: [tool], directories })

/** Starts a server, looks at it, and stops it again. */
async function during<Result>(
  place: DatabasePlace,
  directories: readonly DirectoryDefinition[],
  look: (server: TestServer) => Promise<Result>,
): Promise<Result> {
  const server = await startTestServer({ plugins: [pluginWith(...directories)], settings: place.settings })
  try {
    return await look(server)
  } finally {
    await server.stop()
  }
}

const labelsIn = (directory: string) => async (server: TestServer) => {
  const { body } = await server.as('Administrator').get(`/directory/${directory}?pageSize=0`)
  return Object.fromEntries(
    body.entries.map(({ id, properties }: { id: string; properties: { label: string } }) => [id, properties.label]),
  )
}

const entry = (properties: object, more: object = {}) => ({ 'entity-type': 'directoryEntry', properties, ...more })

for (const engine of engines) {
  describe(`the data file of a directory (${engine})`, () => {
    test('may be CSV, whose texts are read as the fields have them', async () => {
      const csv = await file(
        'tools.csv',
        'code,label,weight,pieces,isSharp,since,colours\r\nsaw,"Saw, ""Fox""",1.5,2,true,2020-05-01,red|blue\r\nnut,Nut,,,,,\r\n',
      )
      const tools = defineDirectory('tools', { schema: 'tool', idField: 'code', dataFile: csv })
      const shown = await during(await freshPlace(engine), [tools], async (server) => ({
        saw: (await server.as('Administrator').get('/directory/tools/saw')).body.properties,
        nut: (await server.as('Administrator').get('/directory/tools/nut')).body.properties,
      }))
      assert.deepEqual(shown.saw, {
        code: 'saw',
        label: 'Saw, "Fox"',
        weight: 1.5,
        pieces: 2,
        isSharp: true,
        since: '2020-05-01T00:00:00.000Z',
        colours: ['red', 'blue'],
        size: null,
      })
      assert.deepEqual(shown.nut, {
        code: 'nut',
        label: 'Nut',
        weight: null,
        pieces: 1,
        isSharp: false,
        since: null,
        colours: [],
        size: null,
      })
    })

    test('may be JSON, whose values have types of their own', async () => {
      const rows = [{ code: 'axe', label: 'Axe', weight: 2, isSharp: true, colours: ['grey'], size: { width: 3 } }, { code: 7 }]
      const json = await file('tools.json', JSON.stringify(rows))
      const tools = defineDirectory('tools', { schema: 'tool', idField: 'code', dataFile: json })
      const shown = await during(await freshPlace(engine), [tools], async (server) => [
        (await server.as('Administrator').get('/directory/tools/axe')).body.properties,
        (await server.as('Administrator').get('/directory/tools/7')).body.properties.pieces,
        (await server.as('Administrator').get('/directory/tools?q=AX')).body.resultsCount,
      ])
      assert.deepEqual(shown[0].size, { width: 3, height: null })
      assert.deepEqual([shown[0].colours, shown[0].isSharp, shown[1], shown[2]], [['grey'], true, 1, 1])
    })

    const policies: readonly [LoadingPolicy, { readonly [id: string]: string }][] = [
      ['neverLoad', { a: 'Mine', c: 'Own' }],
      ['skipDuplicate', { a: 'Mine', b: 'Second', c: 'Own' }],
      ['updateDuplicate', { a: 'First', b: 'Second', c: 'Own' }],
    ]
    for (const [loading, expected] of policies) {
      test(`with the policy ${loading} does to an older directory what that says`, async () => {
        const place = await freshPlace(engine)
        const dataFile = async () => [
          { id: 'a', label: 'First' },
          { id: 'b', label: 'Second' },
        ]
        const letters = defineDirectory('letters', { schema: 'vocabulary', loading, dataFile })
        const first = await during(place, [letters], async (server) => {
          const admin = server.as('Administrator')
          const found = await labelsIn('letters')(server)
          await admin.put('/directory/letters/a', entry({ id: 'a', label: 'Mine' }))
          await admin.delete('/directory/letters/b')
          await admin.post('/directory/letters', entry({ id: 'c', label: 'Own' }))
          return found
        })
        assert.deepEqual(first, { a: 'First', b: 'Second' })
        assert.deepEqual(await during(place, [letters], labelsIn('letters')), expected)
      })
    }

    test('with the policy errorOnDuplicate fills a new directory, and stops a start that finds it filled', async () => {
      const place = await freshPlace(engine)
      const dataFile = async () => [{ id: 'a', label: 'First' }]
      const letters = defineDirectory('letters', { schema: 'vocabulary', loading: 'errorOnDuplicate', dataFile })
      assert.deepEqual(await during(place, [letters], labelsIn('letters')), { a: 'First' })
      await assert.rejects(
        during(place, [letters], labelsIn('letters')),
        /directory letters has a data file with the entry a, which is there already/,
      )
      await during(place, [defineDirectory('letters', { schema: 'vocabulary' })], (server) =>
        server.as('Administrator').delete('/directory/letters/a'),
      )
      assert.deepEqual(await during(place, [letters], labelsIn('letters')), { a: 'First' })
    })

    test('does not come back into a directory that somebody has emptied', async () => {
      const place = await freshPlace(engine)
      const letters = defineDirectory('letters', { schema: 'vocabulary', dataFile: async () => [{ id: 'a', label: 'First' }] })
      await during(place, [letters], (server) => server.as('Administrator').delete('/directory/letters/a'))
      assert.deepEqual(await during(place, [letters], labelsIn('letters')), {})
    })

    test('numbers the entries of a directory that counts, and new ones pass over its numbers', async () => {
      const place = await freshPlace(engine)
      const options: DirectoryOptions = { schema: 'counted', autoincrementId: true, loading: 'updateDuplicate' }
      const counted = defineSchema('counted', { fields: { id: long(), label: string() } })
      const dataFile = async () => [{ label: 'One' }, { id: '3', label: 'Three' }]
      const plugin = definePlugin({
        name: 'counting',
        schemas: [counted],
        directories: [defineDirectory('numbers', { ...options, dataFile })],
      })
      for (const expected of [['2'], ['4']]) {
        const server = await startTestServer({ plugins: [plugin], settings: place.settings })
        try {
          const created = await server.as('Administrator').post('/directory/numbers', entry({ label: 'New' }))
          assert.deepEqual([created.body.id], expected)
          const { body } = await server.as('Administrator').get('/directory/numbers')
          const ids = body.entries.map(({ id }: { id: string }) => id)
          assert.deepEqual(ids, expected[0] === '2' ? ['1', '2', '3'] : ['1', '2', '3', '4'])
        } finally {
          await server.stop()
        }
      }
    })

    test('fills a directory once when two servers start at once', async () => {
      const place = await freshPlace(engine)
      const dataFile = async () => [{ id: 'a', label: 'First' }]
      const letters = defineDirectory('letters', { schema: 'vocabulary', loading: 'skipDuplicate', dataFile })
      const both = await Promise.all([
        during(place, [letters], labelsIn('letters')),
        during(place, [letters], labelsIn('letters')),
      ])
      assert.deepEqual(both, [{ a: 'First' }, { a: 'First' }])
    })

    const mistakes: readonly [what: string, name: string, content: string, message: RegExp][] = [
      [
        'names an unknown column',
        'bad.csv',
        'code,colour\na,b\n',
        /directory tools has a data file with the column colour, which the schema tool does not have/,
      ],
      [
        'has a value of the wrong type',
        'bad.csv',
        'code,pieces\na,1\nb,many\n',
        /directory tools has a mistake in row 2 of bad\.csv\. The property pieces .* takes a whole number, not "many"/,
      ],
      [
        'has an entry without an id',
        'bad.json',
        '[{"label":"x"}]',
        /directory tools has a mistake in row 1 of bad\.json\. Missing id/,
      ],
      ['is no list', 'bad.json', '{"code":"a"}', /data file bad\.json cannot be read\. It must hold a list of objects/],
      ['holds something else than objects', 'bad.json', '[{"code":"a"},1]', /Number 2 of its list is no object/],
      ['is no JSON', 'bad.json', '[', /data file bad\.json cannot be read/],
      ['is no CSV', 'bad.csv', 'code,label\na\n', /data file bad\.csv cannot be read\. Line 2/],
    ]
    for (const [what, name, content, message] of mistakes) {
      test(`stops the start when it ${what}`, async () => {
        const dataFile = await file(name, content)
        const tools = defineDirectory('tools', { schema: 'tool', idField: 'code', dataFile })
        await assert.rejects(
          during(await freshPlace(engine), [tools], async () => undefined),
          message,
        )
      })
    }
  })

  describe(`the entries of an older database (${engine})`, () => {
    test('are found by the search fields that a definition has now', async () => {
      const place = await freshPlace(engine)
      const dataFile = async () => [{ code: 'hammer', label: 'Tool' }]
      const before = defineDirectory('tools', { schema: 'tool', idField: 'code', dataFile })
      const found = (q: string) => async (server: TestServer) =>
        (await server.as('Administrator').get(`/directory/tools?q=${q}`)).body.resultsCount
      assert.deepEqual([await during(place, [before], found('tool')), await during(place, [before], found('ham'))], [1, 0])
      const now = defineDirectory('tools', { schema: 'tool', idField: 'code', searchFields: ['code'] })
      assert.deepEqual([await during(place, [now], found('tool')), await during(place, [now], found('ham'))], [0, 1])
    })

    test('get their terms when they were stored without any', async () => {
      const place = await freshPlace(engine)
      await during(place, [], (server) => server.addUser('Zelda', ['members']))
      await place.query('DELETE FROM directory_terms')
      await place.query('DELETE FROM indexed_directories')
      const found = await during(place, [], async (server) => [
        (await server.as('Administrator').get('/user/search?q=zel')).body.entries.map(({ id }: { id: string }) => id),
        (await server.as('Administrator').get('/directory/userDirectory')).body.resultsCount,
        (await server.as('Administrator').get('/directory/nature')).body.resultsCount,
      ])
      assert.deepEqual(found, [['Zelda'], 2, 37])
    })
  })
}
