import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { defineBusinessObject } from '../../src/automation/business-object.ts'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })

const chains = [
  defineChain({
    id: 'parameterOf',
    steps: [of('LocalConfiguration.SetSimpleConfigurationParameterAsVar', { name: 'found' }), of('Flow.Show')],
  }),
  defineChain({
    id: 'unsavedParameter',
    steps: [of('LocalConfiguration.PutSimpleConfigurationParameter', { key: 'k', value: 'unsaved', save: false })],
  }),
]

const noteCard = defineBusinessObject({ name: 'NoteCard', fields: { title: 'dc:title', note: 'note:note' }, types: ['Note'] })

onEachServer(
  'local configuration and business objects',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let folder: Answered
    let inner: Answered
    let note: Answered

    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
      inner = await bench.create('Folder', {}, { parent: folder.path })
      note = await bench.create('Note', {}, { parent: inner.path })
    })

    const put = (document: Answered, key: string, value: string) =>
      call('LocalConfiguration.PutSimpleConfigurationParameter', { input: `doc:${document.uid}`, params: { key, value } })
    const found = async (document: Answered, parameterName: string, params: object = {}) => {
      const answer = await call('parameterOf', { input: `doc:${document.uid}`, params: { parameterName, ...params } })
      return requireStatus(200, answer).value.variables.found
    }

    test('2.16 LocalConfiguration.PutSimpleConfigurationParameter stores a value and adds the facet', async () => {
      const body = requireStatus(200, await put(folder, 'colour', 'red'))
      assert.ok(body.facets.includes('SimpleConfiguration'))
      const stored = (await bench.readProperties(folder.uid))['sconf:simpleConfigurationParameters']
      assert.deepEqual(stored, [{ key: 'colour', value: 'red' }])
    })

    test('2.16 LocalConfiguration.PutSimpleConfigurationParameters stores several, beside those that there are', async () => {
      const params = { parameters: 'colour=green\nsize=large' }
      const input = `doc:${folder.uid}`
      requireStatus(200, await call('LocalConfiguration.PutSimpleConfigurationParameters', { input, params }))
      const stored = (await bench.readProperties(folder.uid))['sconf:simpleConfigurationParameters']
      assert.deepEqual(stored, [
        { key: 'colour', value: 'green' },
        { key: 'size', value: 'large' },
      ])
    })

    test('2.16 …SetSimpleConfigurationParameterAsVar finds the value of the document or of the nearest folder that has one', async () => {
      assert.equal(await found(note, 'colour'), 'green')
      requireStatus(200, await put(inner, 'colour', 'blue'))
      assert.deepEqual([await found(note, 'colour'), await found(note, 'size')], ['blue', 'large'])
      assert.equal(await found(folder, 'colour'), 'green')
    })

    test('2.16 …SetSimpleConfigurationParameterAsVar takes the default where nobody has set anything', async () => {
      assert.equal(await found(note, 'nothing', { defaultValue: 'usual' }), 'usual')
      assert.equal(await found(note, 'nothing'), null)
    })

    test('2.16 a parameter that is not saved is lost with the call', async () => {
      requireStatus(200, await call('unsavedParameter', { input: `doc:${note.uid}` }))
      assert.equal(await found(note, 'k'), null)
    })

    test('2.16 parameters need the right to write, a key and a document', async () => {
      await bench.restrict(inner.uid, grant('bob', 'Read'))
      const asBob = operationsOn(server, 'bob')
      const id = 'LocalConfiguration.PutSimpleConfigurationParameter'
      assert.equal((await asBob(id, { input: `doc:${inner.uid}`, params: { key: 'k', value: 'v' } })).status, 403)
      const several = { input: `doc:${inner.uid}`, params: { parameters: { k: 'v' } } }
      assert.equal((await asBob('LocalConfiguration.PutSimpleConfigurationParameters', several)).status, 403)
      assert.equal((await call(id, { input: `doc:${inner.uid}`, params: { value: 'v' } })).status, 400)
      assert.equal((await call(id, { params: { key: 'k', value: 'v' } })).status, 400)
      assert.equal((await call('LocalConfiguration.SetSimpleConfigurationParameterAsVar', { params: { name: 'x' } })).status, 400)
    })

    const business = (entityType: string, value: object) => ({ 'entity-type': entityType, value })

    test('2.16 Business.BusinessCreateOperation creates the document, Fetch reads it again, Update saves it', async () => {
      const params = { parentPath: workspaces, name: 'carded' }
      const input = business('NoteCard', { type: 'Note', title: 'Plan', note: 'text' })
      const created = requireStatus(200, await call('Business.BusinessCreateOperation', { input, params }))
      const { id } = created.value
      assert.deepEqual(created, business('NoteCard', { type: 'Note', id, title: 'Plan', note: 'text' }))
      assert.equal((await bench.read(id)).path, `${workspaces}/carded`)

      const update = { input: business('NoteCard', { id, title: 'New plan' }) }
      const updated = requireStatus(200, await call('Business.BusinessUpdateOperation', update))
      assert.deepEqual(updated.value, { type: 'Note', id, title: 'New plan', note: 'text' })

      const fetched = requireStatus(200, await call('Business.BusinessFetchOperation', { input: business('NoteCard', { id }) }))
      assert.deepEqual(fetched, updated)
      const bean = requireStatus(200, await call('Business.BusinessFetchOperation', { input: business('BusinessBean', { id }) }))
      assert.deepEqual(bean.value, { type: 'Note', id, title: 'New plan', description: null, note: 'text' })
    })

    test('2.16 business objects that there are not, or that do not fit, are refused', async () => {
      const params = { parentPath: workspaces, name: 'refused' }
      const rows: [id: string, input: unknown, status: number, message: RegExp][] = [
        ['Business.BusinessFetchOperation', business('NoSuch', { id: note.uid }), 404, /Unable to find \[NoSuch\] adapter/],
        [
          'Business.BusinessFetchOperation',
          business('NoteCard', { id: folder.uid }),
          404,
          /A Folder cannot be shown as NoteCard/,
        ],
        ['Business.BusinessFetchOperation', business('NoteCard', { id: 'nowhere' }), 404, /nowhere$/],
        ['Business.BusinessFetchOperation', business('NoteCard', {}), 400, /must have a text in id/],
        ['Business.BusinessFetchOperation', 'a text', 400, /no method found/],
        ['Business.BusinessUpdateOperation', business('NoteCard', { id: folder.uid, title: 'x' }), 404, /cannot be shown/],
        ['Business.BusinessUpdateOperation', business('NoteCard', { title: 'x' }), 400, /must have a text in id/],
        ['Business.BusinessCreateOperation', business('NoteCard', { title: 'x' }), 400, /must have a text in type/],
        ['Business.BusinessCreateOperation', business('NoteCard', { type: 'NoType' }), 400, /NoType/],
        ['Business.BusinessCreateOperation', business('NoteCard', { type: 'Folder' }), 404, /A Folder cannot be shown/],
      ]
      for (const [id, input, status, message] of rows) {
        const answer = await call(id, { input, params })
        assert.equal(answer.status, status, `${id} ${JSON.stringify(input)} ${answer.text}`)
        assert.match(answer.body.message, message)
      }
      assert.equal((await server.as('Administrator').get(`/path${workspaces}/refused`)).status, 404)
    })

    test('2.16 business objects need the rights that their documents do', async () => {
      const asBob = operationsOn(server, 'bob')
      const hidden = await bench.create('Note')
      await bench.restrict(hidden.uid)
      const input = business('NoteCard', { id: hidden.uid, title: 'x' })
      assert.equal((await asBob('Business.BusinessFetchOperation', { input })).status, 403)
      assert.equal((await asBob('Business.BusinessUpdateOperation', { input })).status, 403)
      const params = { parentPath: inner.path, name: 'x' }
      const created = { input: business('NoteCard', { type: 'Note' }), params }
      assert.equal((await asBob('Business.BusinessCreateOperation', created)).status, 403)
    })
  },
  { plugins: [flowPlugin(...chains), definePlugin({ name: 'cards', businessObjects: [noteCard] })] },
)
