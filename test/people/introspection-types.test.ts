import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { builtinPlugins } from '../../src/builtin-plugins.ts'
import { gatherPlugins } from '../../src/plugin/gather-plugins.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import type { Answered } from '../support/workbench.ts'

const builtin = gatherPlugins(builtinPlugins)

const entityTypes = (schemas: readonly Answered[]) => new Set(schemas.map((schema) => schema['entity-type']))
const names = (schemas: readonly Answered[]) => schemas.map((schema) => schema.name)

onEachServer(
  'a document type alone',
  (server) => {
    const read = async (name: string, query = '') => (await server.as('bob').get(`/config/types/${name}${query}`)).body
    before(() => server.addUser('bob'))

    for (const path of ['/config/types', '/docType']) {
      test(`is at ${path}/{type} as a docType entity`, async () => {
        const answer = await server.as('bob').get(`${path}/Note`)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=docType')
        const { 'entity-type': entityType, name, parent, ...rest } = answer.body
        assert.deepEqual({ entityType, name, parent }, { entityType: 'docType', name: 'Note', parent: 'Document' })
        assert.deepEqual(Object.keys(rest).sort(), ['facets', 'schemas'])
      })
    }

    test('shows its schemas as schema entities, without prefix keys where none is declared', async () => {
      const { schemas } = await read('Note')
      assert.deepEqual(entityTypes(schemas), new Set(['schema']))
      assert.deepEqual(
        schemas.find((schema: Answered) => schema.name === 'note'),
        { 'entity-type': 'schema', name: 'note', fields: { note: 'string', mime_type: 'string' } },
      )
      const dublincore = schemas.find((schema: Answered) => schema.name === 'dublincore')
      assert.deepEqual([dublincore.prefix, dublincore['@prefix']], ['dc', 'dc'])
    })

    test('shows the facets of a note', async () => {
      const { facets } = await read('Note')
      assert.deepEqual([...facets].sort(), ['Commentable', 'HasRelatedText', 'NXTag', 'Publishable', 'Versionable'])
    })

    test('shows the facets of the types it extends before its own', async () => {
      const folder = await read('Folder')
      const ordered = await read('OrderedFolder')
      assert.equal(ordered.parent, 'Folder')
      assert.deepEqual(ordered.facets, [...folder.facets, 'Orderable'])
    })

    test('shows the schemas of the types it extends', async () => {
      const { parent, schemas } = await read('Strict')
      assert.equal(parent, 'File')
      for (const schema of ['common', 'dublincore', 'file', 'strict']) assert.ok(names(schemas).includes(schema), schema)
    })

    test('shows the schemas that its facets bring, each once', async () => {
      const { facets, schemas } = await read('Picture')
      assert.ok(facets.includes('Picture'))
      assert.ok(names(schemas).includes('image_metadata'))
      assert.equal(new Set(names(schemas)).size, schemas.length)
    })

    for (const root of ['Document', 'Relation']) {
      test(`has null as the parent of ${root}`, async () => assert.equal((await read(root)).parent, null))
    }

    test('shows the rules of its fields when they are fetched', async () => {
      const { schemas } = await read('Note', '?fetch.schema=fields')
      const dublincore = schemas.find((schema: Answered) => schema.name === 'dublincore')
      assert.equal(dublincore.fields.creator.constraints.length, 2)
    })

    test('is there for every type that the server has', async () => {
      for (const { name, extends: parent } of builtin.documentTypes) {
        const shown = await read(name)
        assert.deepEqual([shown.name, shown.parent], [name, parent ?? null])
      }
    })
  },
  { plugins: [specimens] },
)

onEachServer(
  'the list of document types',
  (server) => {
    let listed: Answered
    before(async () => {
      await server.addUser('bob')
      listed = (await server.as('bob').get('/config/types')).body
    })

    test('is an object of types and schemas, without an entity type, at both addresses', async () => {
      for (const path of ['/config/types', '/docType', '/config/types/', '/docType/']) {
        const answer = await server.as('bob').get(path)
        assert.equal(answer.status, 200, path)
        assert.equal(answer.headers.get('content-type'), 'application/json')
        assert.deepEqual(answer.body, listed)
      }
      assert.deepEqual(Object.keys(listed).sort(), ['doctypes', 'schemas'])
    })

    test('has every type and every schema', () => {
      const types = [...builtin.documentTypes, ...(specimens.documentTypes ?? [])].map(({ name }) => name).sort()
      const schemas = [...builtin.schemas, ...(specimens.schemas ?? [])].map(({ name }) => name).sort()
      assert.deepEqual(Object.keys(listed.doctypes), types)
      assert.deepEqual(Object.keys(listed.schemas), schemas)
    })

    test('has of each type its parent, its facets and the names of its schemas', () => {
      assert.deepEqual(Object.keys(listed.doctypes.Note).sort(), ['facets', 'parent', 'schemas'])
      assert.equal(listed.doctypes.Note.parent, 'Document')
      assert.ok(listed.doctypes.Note.facets.includes('NXTag'))
      assert.ok(listed.doctypes.Note.schemas.includes('dublincore'))
      assert.ok(listed.doctypes.Note.schemas.includes('note'))
    })

    test('says None!!! where a type extends nothing', () => {
      const roots = Object.entries<Answered>(listed.doctypes).filter(([, type]) => type.parent === 'None!!!')
      assert.deepEqual(
        roots.map(([name]) => name),
        ['Document', 'Relation'],
      )
    })

    test('has inherited facets and the schemas that facets bring', () => {
      assert.ok(listed.doctypes.OrderedFolder.facets.includes('Folderish'))
      assert.ok(listed.doctypes.Picture.schemas.includes('image_metadata'))
    })

    test('has the fields of a schema right beside its prefix', () => {
      const { '@prefix': prefix, title, contributors } = listed.schemas.dublincore
      assert.deepEqual({ prefix, title, contributors }, { prefix: 'dc', title: 'string', contributors: 'string[]' })
      assert.deepEqual(listed.schemas.files, {
        '@prefix': '',
        files: { type: 'complex[]', fields: { file: 'blob' } },
      })
      assert.deepEqual(listed.schemas.specimen.address, {
        type: 'complex',
        fields: { street: 'string', city: 'string', since: 'date' },
      })
    })

    test('stays as it is when rules of fields are fetched', async () => {
      assert.deepEqual((await server.as('bob').get('/config/types?fetch.schema=fields')).body, listed)
    })

    describe('agrees with each type alone', () => {
      for (const type of ['File', 'Picture', 'Workspace', 'Relation']) {
        test(type, async () => {
          const { facets, schemas } = (await server.as('bob').get(`/config/types/${type}`)).body
          assert.deepEqual(listed.doctypes[type].facets, facets)
          assert.deepEqual(listed.doctypes[type].schemas, names(schemas))
        })
      }
    })
  },
  { plugins: [specimens] },
)
