import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { operationBenchOn, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'

onEachServer(
  '2.1 writing properties',
  (server) => {
    const bench = operationBenchOn(server)

    describe('Document.Update', () => {
      test('sets properties that are sent as a text or as a map', async () => {
        const { uid } = await bench.make()
        await bench.run('Document.Update', uid, { properties: 'dc:title=by text\ndc:source=here' }, { as: 'writer' })
        const { 'dc:title': title, 'dc:source': source } = await bench.readProperties(uid)
        assert.deepEqual([title, source], ['by text', 'here'])
        const updated = await bench.run('Document.Update', uid, { properties: { 'dc:title': 'by map', 'dc:source': null } })
        assert.equal(updated.title, 'by map')
        assert.equal((await bench.readProperties(uid))['dc:source'], null)
      })
      test('gives several documents in the order of the input', async () => {
        const [one, other] = [await bench.make(), await bench.make()]
        const updated = await bench.run('Document.Update', `docs:${other.path},${one.path}`, { properties: 'dc:title=both' })
        assert.deepEqual(uidsOf(updated), [other.uid, one.uid])
        assert.deepEqual(
          updated.entries.map(({ title }: { title: string }) => title),
          ['both', 'both'],
        )
      })
      test('changes a place inside a property and leaves what is beside it', async () => {
        const { uid } = await bench.make('Specimen', {
          'spc:address': { street: 'Low Street', city: 'Bath' },
          'spc:words': ['a', 'b'],
        })
        await bench.run('Document.Update', uid, { properties: { 'spc:address/city': 'Wells', 'spc:words/1': 'c' } })
        const properties = await bench.readProperties(uid)
        assert.deepEqual(properties['spc:address'], { street: 'Low Street', city: 'Wells', since: null })
        assert.deepEqual(properties['spc:words'], ['a', 'c'])
      })
      test('without saving changes nothing that is stored', async () => {
        const { uid } = await bench.make('File', { 'dc:title': 'stored' })
        assert.equal((await bench.run('Document.Update', uid, { properties: 'dc:title=not', save: false })).title, 'not')
        assert.equal((await bench.read(uid)).title, 'stored')
      })
      test('with null for its properties changes nothing', async () => {
        const { uid, changeToken } = await bench.make('File', { 'dc:title': 'stored' })
        const answer = await bench.run('Document.Update', uid, { properties: null })
        assert.deepEqual([answer.uid, answer.title, answer.changeToken], [uid, 'stored', changeToken])
      })
      test('leaves the numbers of versions to the server', async () => {
        const { uid } = await bench.make()
        await bench.run('Document.Update', uid, { properties: { 'uid:major_version': 7, 'dc:title': 'new' } })
        assert.equal((await bench.readProperties(uid))['uid:major_version'], 0)
      })
      test('passes over a property that is gone, as the other ways to set one do', async () => {
        const { uid, changeToken } = await bench.make('File', { 'dc:title': 'stored' })
        const gone = { xpath: 'common:size' }
        assert.equal((await bench.run('Document.SetProperty', uid, { ...gone, value: '5' })).changeToken, changeToken)
        assert.equal((await bench.run('Document.RemoveProperty', uid, gone)).changeToken, changeToken)
        await bench.run('Document.Update', uid, { properties: { 'common:size': '5', 'dc:source': 'new' } })
        assert.equal((await bench.readProperties(uid))['dc:source'], 'new')
      })
      test('checks a checked-in document out, and only if something changed', async () => {
        const { uid } = await bench.make('File', { 'dc:title': 'same' })
        await bench.checkIn(uid)
        await bench.run('Document.Update', uid, { properties: 'dc:title=same' })
        assert.equal(await bench.label(uid), '0.1')
        await bench.run('Document.Update', uid, { properties: 'dc:title=other' })
        assert.equal(await bench.label(uid), '0.1+')
      })
      test('writes through a proxy to a live document', async () => {
        const { uid } = await bench.make()
        const proxy = await bench.createProxy(bench.shared.uid, uid)
        const shown = await bench.run('Document.Update', proxy, { properties: 'dc:title=through' }, { as: 'writer' })
        assert.deepEqual([shown.uid, shown.title], [proxy, 'through'])
        assert.equal((await bench.read(uid)).title, 'through')
      })
      test('changes what else is sent of a document as its input', async () => {
        const { uid } = await bench.make()
        const input = { 'entity-type': 'document', uid, properties: { 'dc:source': 'of the input' } }
        await bench.run('Document.Update', input, { properties: 'dc:title=of the parameter' })
        const { 'dc:title': title, 'dc:source': source } = await bench.readProperties(uid)
        assert.deepEqual([title, source], ['of the parameter', 'of the input'])
      })
      refusalsOf(bench, 'Document.Update', {
        'without properties': { input: '/default-domain', status: 400, message: /Failed to inject parameter 'properties'/ },
        'to who can only read': async () => ({
          as: 'reader',
          input: (await bench.make()).uid,
          params: { properties: 'dc:title=x' },
          status: 403,
          message: privilegeMissing('WriteProperties', 'reader'),
        }),
        'for a property that is none': async () => ({
          input: (await bench.make()).uid,
          params: { properties: 'dc:nope=x' },
          status: 400,
          message: 'Property not found: dc:nope',
        }),
        'for a property of another type of document': async () => ({
          input: (await bench.make('Folder')).uid,
          params: { properties: 'file:content=x' },
          status: 400,
          message: 'Property not found: file:content',
        }),
        'for a value that does not fit': async () => ({
          input: (await bench.make('Specimen')).uid,
          params: { properties: 'spc:count=many' },
          status: 400,
          message: 'Unable to deserialize property: spc:count',
        }),
        'on a version': async () => ({
          input: (await bench.checkIn((await bench.make()).uid)).version.id,
          params: { properties: 'dc:title=x' },
          status: 400,
          message: 'Cannot set property on a version: dc:title',
        }),
        'for a part of a file that is not there': async () => ({
          input: (await bench.make()).uid,
          params: { properties: { 'file:content/name': 'x' } },
          status: 400,
          message: 'Cannot set file:content/name: there is no file. Set the file itself.',
        }),
        'for a document that was never stored': {
          input: { 'entity-type': 'document', type: 'File', name: 'new' },
          params: { properties: 'dc:title=x' },
          status: 400,
          message: /The File was never stored/,
        },
      })
      test('of several documents changes none when one is refused', async () => {
        const [first, locked] = [await bench.make('File', { 'dc:title': 'before' }), await bench.make()]
        await bench.run('Document.Lock', locked.uid, {}, { as: 'owner' })
        const params = { properties: 'dc:title=after' }
        const answer = await bench.call('Document.Update', [first.uid, locked.uid], params, { as: 'writer' })
        assertRefused(answer, 403, /WriteProperties/)
        assert.equal((await bench.read(first.uid)).title, 'before')
      })
      test('reports what is not valid, with the property', async () => {
        const { uid } = await bench.make('Strict', { 'vs:color': 'red' })
        const answer = await bench.call('Document.Update', uid, { properties: 'vs:color=mauve' })
        assert.equal(answer.status, 400)
        assert.equal(answer.body['entity-type'], 'validation_report')
      })
    })

    describe('the rights in ecm:acl', () => {
      test('become the local ACL, and are no property', async () => {
        const { uid } = await bench.make()
        const properties = { 'ecm:acl': 'reader:Write:true,stranger:Read:true', 'dc:title': 'shared' }
        assert.equal((await bench.run('Document.Update', uid, { properties }, { as: 'owner' })).title, 'shared')
        assert.deepEqual((await bench.row(uid)).acls, [
          { name: 'local', aces: [grant('reader', 'Write'), grant('stranger', 'Read')] },
        ])
        assert.equal((await bench.run('Document.Fetch', undefined, { value: uid }, { as: 'stranger' })).uid, uid)
      })
      test('are given to a new document too', async () => {
        const params = { type: 'File', name: 'with rights', properties: 'ecm:acl=stranger:Read:true\ndc:title=new' }
        const { uid } = await bench.run('Document.Create', bench.shared.uid, params)
        assert.deepEqual((await bench.row(uid)).acls, [{ name: 'local', aces: [grant('stranger', 'Read')] }])
      })
      refusalsOf(bench, 'Document.Update', {
        'to who may not change rights': async () => ({
          as: 'writer',
          input: (await bench.make()).uid,
          params: { properties: 'ecm:acl=writer:Everything:true' },
          status: 403,
          message: privilegeMissing('WriteSecurity', 'writer'),
        }),
        'for rights that cannot be read': async () => ({
          input: (await bench.make()).uid,
          params: { properties: 'ecm:acl=writer' },
          status: 400,
          message: 'Write ecm:acl as user:permission:true, with commas between the entries, not as writer.',
        }),
      })
    })

    describe('Document.Update with a change token', () => {
      const title = async (uid: string) => (await bench.read(uid)).title
      test('that is current changes the document', async () => {
        const { uid, changeToken } = await bench.make()
        assert.match(
          (await bench.run('Document.Update', uid, { properties: 'dc:title=new', changeToken })).changeToken,
          /^\d+-1$/,
        )
        assert.equal(await title(uid), 'new')
      })
      test('whose first part is older is accepted: only the system changed something', async () => {
        const { uid, changeToken } = await bench.make()
        await bench.run('Document.Lock', uid)
        assert.notEqual((await bench.read(uid)).changeToken, changeToken)
        await bench.run('Document.Update', uid, { properties: 'dc:title=new', changeToken })
        assert.equal(await title(uid), 'new')
      })
      for (const stale of ['9999-1234', 'nonsense']) {
        test(`such as ${stale} is refused with 409 and changes nothing`, async () => {
          const { uid } = await bench.make('File', { 'dc:title': 'before' })
          const before = await bench.read(uid)
          const answer = await bench.call('Document.Update', uid, { properties: 'dc:title=after', changeToken: stale })
          assertRefused(answer, 409, new RegExp(`${uid}$`))
          assert.deepEqual(await bench.read(uid), before)
        })
      }
      test('of an input document counts when it is saved', async () => {
        const { uid } = await bench.make()
        const input = { 'entity-type': 'document', uid, changeToken: '0-7', properties: { 'dc:title': 'new' } }
        assertRefused(await bench.call('Document.Save', input), 409, new RegExp(`${uid}$`))
        assertRefused(await bench.call('Document.Update', input, { properties: 'dc:source=x' }), 409, new RegExp(`${uid}$`))
      })
      test('is won by one of two who read the same state', async () => {
        const { uid, changeToken } = await bench.make()
        const writers = ['first', 'second'].map((value) =>
          bench.call('Document.Update', uid, { properties: { 'dc:title': value }, changeToken }, { as: 'writer' }),
        )
        const statuses = (await Promise.all(writers)).map(({ status }) => status)
        assert.deepEqual(statuses.sort(), [200, 409])
      })
    })

    describe('Document.SetProperty', () => {
      const set = (uid: string, xpath: string, value?: unknown, more = {}) =>
        bench.run('Document.SetProperty', uid, { xpath, ...(value !== undefined && { value }), ...more }, { as: 'writer' })
      const values: readonly (readonly [xpath: string, sent: unknown, stored: unknown])[] = [
        ['dc:title', 'a title', 'a title'],
        ['dc:title', 'expr:1 + 1 and @{this}', 'expr:1 + 1 and @{this}'],
        ['dc:title', 12, '12'],
        ['spc:count', '12', 12],
        ['spc:count', 12, 12],
        ['spc:ratio', '1.5', 1.5],
        ['spc:flag', 'true', true],
        ['spc:flag', false, false],
        ['spc:moment', '2031-01-31T10:20:30+01:00', '2031-01-31T09:20:30.000Z'],
        ['spc:address/city', 'Bath', 'Bath'],
        ['spc:rows/0/count', '3', 3],
        ['spc:words/0', 'changed', 'changed'],
      ]
      for (const [xpath, sent, stored] of values) {
        test(`makes ${xpath} ${JSON.stringify(stored)} of ${JSON.stringify(sent)}`, async () => {
          const { uid } = await bench.make('Specimen', { 'spc:rows': [{ label: 'one' }], 'spc:words': ['first', 'second'] })
          await set(uid, xpath, sent)
          const [name = '', ...steps] = xpath.split('/')
          const found = steps.reduce((value, step) => value[step], (await bench.readProperties(uid))[name])
          assert.equal(found, stored)
        })
      }
      for (const absent of [undefined, null]) {
        test(`clears the property when the value is ${absent}`, async () => {
          const { uid } = await bench.make('Specimen', { 'spc:count': 12 })
          await set(uid, 'spc:count', absent)
          assert.equal((await bench.readProperties(uid))['spc:count'], null)
        })
      }
      test('renames a file and keeps its bytes', async () => {
        const { uid } = await bench.make('File', { 'file:content': { data: 'bytes', name: 'a.txt', 'mime-type': 'text/plain' } })
        const { digest } = (await bench.readProperties(uid))['file:content']
        await set(uid, 'file:content/name', 'b.txt')
        const renamed = (await bench.readProperties(uid))['file:content']
        assert.deepEqual([renamed.name, renamed.digest], ['b.txt', digest])
      })
      test('works on several documents, and without saving stores nothing', async () => {
        const files = [await bench.make(), await bench.make()]
        const uids = files.map(({ uid }) => uid)
        await bench.run('Document.SetProperty', uids, { xpath: 'dc:source', value: 'set', save: 'false' })
        for (const uid of uids) assert.equal((await bench.readProperties(uid))['dc:source'], null)
        assert.deepEqual(uidsOf(await bench.run('Document.SetProperty', uids, { xpath: 'dc:source', value: 'set' })), uids)
        for (const uid of uids) assert.equal((await bench.readProperties(uid))['dc:source'], 'set')
      })
      const refused = async (type: string, xpath: string, value: unknown, message: string, as?: 'writer') => ({
        ...(as && { as }),
        input: (await bench.make(type)).uid,
        params: { xpath, value },
        status: 400,
        message,
      })
      refusalsOf(bench, 'Document.SetProperty', {
        'without an xpath': { input: '/', params: { value: 1 }, status: 400, message: /Failed to inject parameter 'xpath'/ },
        'for an unknown property': () => refused('File', 'dc:nope', 'x', 'Property not found: dc:nope'),
        'for a list': () => refused('Specimen', 'spc:words', 'x', 'spc:words cannot be set to one value. Use Document.Update.'),
        'for a complex property': () =>
          refused('Specimen', 'spc:address', 'x', 'spc:address cannot be set to one value. Use Document.Update.'),
        'for a file': () => refused('File', 'file:content', 'x', 'file:content cannot be set to one value. Use Document.Update.'),
        'for several values': () =>
          refused('File', 'dc:title', ['a'], 'dc:title cannot be set to one value. Send a text or a number.'),
        'for a text that is no number': () => refused('Specimen', 'spc:count', 'x', 'Unable to deserialize property: spc:count'),
        'for what only administrators set': () =>
          refused('Guarded', 'grd:grade', 'A', 'Cannot set the value of property: grade since it is readonly', 'writer'),
        'for the number of a version': () =>
          refused('File', 'uid:major_version', 7, 'Cannot set the value of property: uid:major_version since it is readonly'),
        'for the digest of a file': () =>
          refused(
            'File',
            'file:content/digest',
            'x',
            'Cannot set file:content/digest: it comes from the bytes of the file. Set the file itself.',
          ),
        'to who can only read': async () => ({
          as: 'reader',
          input: (await bench.make()).uid,
          params: { xpath: 'dc:title', value: 'x' },
          status: 403,
          message: privilegeMissing('WriteProperties', 'reader'),
        }),
        'for an unknown document': { input: unknownId, params: { xpath: 'dc:title' }, status: 404, message: unknownId },
      })
    })

    describe('Document.RemoveProperty', () => {
      const content = {
        'spc:text': 'a',
        'spc:words': ['a', 'b', 'c'],
        'spc:address': { city: 'Bath' },
        'spc:rows': [{ tags: ['x', 'y'] }],
      }
      const cases: readonly (readonly [xpath: string, property: string, left: unknown])[] = [
        ['spc:text', 'spc:text', null],
        ['spc:words', 'spc:words', []],
        ['spc:words/1', 'spc:words', ['a', 'c']],
        ['spc:address/city', 'spc:address', { street: null, city: null, since: null }],
        ['spc:rows/0', 'spc:rows', []],
        ['spc:rows/0/tags/0', 'spc:rows', [{ label: null, count: null, picture: null, tags: ['y'] }]],
      ]
      for (const [xpath, property, left] of cases) {
        test(`of ${xpath} leaves ${JSON.stringify(left)}`, async () => {
          const { uid } = await bench.make('Specimen', content)
          await bench.run('Document.RemoveProperty', uid, { xpath }, { as: 'writer' })
          assert.deepEqual((await bench.readProperties(uid))[property], left)
        })
      }
      test('takes the file away', async () => {
        const { uid } = await bench.make('File', { 'file:content': { data: 'bytes', name: 'a.txt' } })
        await bench.run('Document.RemoveProperty', uid, { xpath: 'file:content' })
        assert.equal((await bench.readProperties(uid))['file:content'], null)
      })
      refusalsOf(bench, 'Document.RemoveProperty', {
        'for an item that is not there': async () => ({
          input: (await bench.make('Specimen', content)).uid,
          params: { xpath: 'spc:words/3' },
          status: 400,
          message: 'There is no spc:words/3: the list has 3 item(s)',
        }),
        'for an unknown property': {
          input: '/',
          params: { xpath: 'dc:nope' },
          status: 400,
          message: 'Property not found: dc:nope',
        },
        'for what only administrators set': async () => ({
          as: 'writer',
          input: (await bench.make('Guarded')).uid,
          params: { xpath: 'grd:grade' },
          status: 400,
          message: 'Cannot set the value of property: grade since it is readonly',
        }),
        'to who can only read': async () => ({
          as: 'reader',
          input: (await bench.make()).uid,
          params: { xpath: 'dc:title' },
          status: 403,
          message: privilegeMissing('WriteProperties', 'reader'),
        }),
      })
    })
  },
  { plugins: [specimens] },
)
