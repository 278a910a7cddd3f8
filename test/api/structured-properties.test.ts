import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer(
  'properties',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('alice', ['members']))

    const put = (uid: string, properties: object) =>
      server.as('Administrator').put(`/id/${uid}`, { 'entity-type': 'document', properties })

    /** Saves a value for a property of a document that had another one, and reads it back. */
    async function readAfter(type: string, name: string, earlier: unknown, sent: unknown): Promise<Answered> {
      const { uid } = await bench.create(type, { [name]: earlier })
      await bench.update(uid, { [name]: sent })
      return (await bench.readProperties(uid))[name]
    }

    describe('that are unset', () => {
      test('read as null, [] or an object of all their nulls', async () => {
        const { uid } = await bench.create('Bare')
        assert.deepEqual(await bench.readProperties(uid), {
          'spc:text': null,
          'spc:memo': null,
          'spc:count': null,
          'spc:ratio': null,
          'spc:flag': null,
          'spc:moment': null,
          'spc:bytes': null,
          'spc:words': [],
          'spc:counts': [],
          'spc:ratios': [],
          'spc:flags': [],
          'spc:moments': [],
          'spc:address': { street: null, city: null, since: null },
          'spc:nested': { label: null, inner: { deep: [], level: null } },
          'spc:rows': [],
          'spc:attachment': null,
          'spc:attachments': [],
        })
      })

      test('are so after null was sent for them', async () => {
        const { uid } = await bench.create('Bare')
        const unset = await bench.readProperties(uid)
        await bench.update(uid, {
          'spc:text': 'a',
          'spc:words': ['a'],
          'spc:address': { city: 'Paris' },
          'spc:rows': [{ label: 'a' }],
          'spc:attachment': { data: 'bytes' },
        })
        const nulls = Object.fromEntries(Object.keys(unset).map((name) => [name, null]))
        await bench.update(uid, nulls)
        assert.deepEqual(await bench.readProperties(uid), unset)
      })
    })

    describe('that are not sent', () => {
      test('keep their values, blobs too, with and without the id in the body', async () => {
        const { uid } = await bench.create('Specimen', {
          'dc:description': 'kept',
          'spc:words': ['kept'],
          'spc:address': { city: 'kept' },
          'file:content': { data: 'kept', name: 'kept.txt' },
        })
        const kept = (properties: Answered) => {
          const { digest, name } = properties['file:content']
          return [properties['dc:description'], properties['spc:words'], properties['spc:address'], digest, name]
        }
        const expected = kept(await bench.readProperties(uid))
        await bench.update(uid, { 'dc:title': 'changed' })
        assert.deepEqual(kept(await bench.readProperties(uid)), expected)
        const body = { 'entity-type': 'document', uid, properties: { 'dc:title': 'again' } }
        requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, body))
        const properties = await bench.readProperties(uid)
        assert.deepEqual([properties['dc:title'], ...kept(properties)], ['again', ...expected])
      })

      test('keep their values when another is unset', async () => {
        const { uid } = await bench.create('Specimen', { 'dc:description': 'goes', 'dc:source': 'stays', 'spc:text': '' })
        await bench.update(uid, { 'dc:description': null })
        const properties = await bench.readProperties(uid)
        assert.deepEqual([properties['dc:description'], properties['dc:source'], properties['spc:text']], [null, 'stays', ''])
      })
    })

    describe('that are lists', () => {
      const lists = [
        { name: 'spc:words', earlier: ['a', 'b', 'c'], sent: ['z'], read: ['z'], how: 'are replaced as a whole' },
        { name: 'spc:words', earlier: ['a'], sent: [], read: [], how: 'are emptied by []' },
        { name: 'spc:words', earlier: ['a'], sent: null, read: [], how: 'are emptied by null' },
        { name: 'spc:words', earlier: [], sent: ['b', 'a', 'b'], read: ['b', 'a', 'b'], how: 'keep order and repetitions' },
        { name: 'spc:words', earlier: [], sent: [1, true, null], read: ['1', 'true', null], how: 'take items like their kind' },
        { name: 'spc:counts', earlier: [], sent: ['7', '', 3], read: [7, null, 3], how: 'take items of numbers likewise' },
        { name: 'spc:flags', earlier: [], sent: ['TRUE', 0, 1], read: [true, false, true], how: 'and of flags' },
        { name: 'spc:ratios', earlier: [], sent: [1, '0.5'], read: [1, 0.5], how: 'and of fractions' },
      ]
      for (const { name, earlier, sent, read, how } of lists) {
        test(`${how}: ${JSON.stringify(sent)} in ${name}`, async () => {
          assert.deepEqual(await readAfter('Specimen', name, earlier, sent), read)
        })
      }

      for (const sent of ['text', 5, true, {}, { 0: 'a' }]) {
        test(`refuse ${JSON.stringify(sent)}`, async () => {
          const { uid } = await bench.create('Specimen', { 'spc:words': ['a'] })
          for (const name of ['spc:words', 'spc:rows']) {
            const { message } = requireStatus(400, await put(uid, { [name]: sent }))
            assert.equal(message, `Unable to deserialize property: ${name}`)
          }
          assert.deepEqual((await bench.readProperties(uid))['spc:words'], ['a'])
        })
      }

      test('name the item that is wrong', async () => {
        const { uid } = await bench.create('Specimen')
        const { message } = requireStatus(400, await put(uid, { 'spc:counts': [1, 'two', 3] }))
        assert.equal(message, 'Unable to deserialize property: spc:counts/1')
      })
    })

    describe('that are lists of parts', () => {
      const empty = { label: null, count: null, picture: null, tags: [] }

      test('build each item anew, what it lacks unset and what nobody knows ignored', async () => {
        const earlier = [{ label: 'a', count: 1, tags: ['x'] }, { label: 'b' }]
        const read = await readAfter('Specimen', 'spc:rows', earlier, [{ count: '2', unheard: 'of' }, {}])
        assert.deepEqual(read, [{ ...empty, count: 2 }, empty])
      })

      test('refuse items that are no objects, naming the place', async () => {
        const { uid } = await bench.create('Specimen')
        for (const [sent, xpath] of [
          [['text'], 'spc:rows/0'],
          [[{}, 5], 'spc:rows/1'],
          [[{}, { count: 'many' }], 'spc:rows/1/count'],
          [[{ tags: 'x' }], 'spc:rows/0/tags'],
          [[{ tags: ['x', []] }], 'spc:rows/0/tags/1'],
        ] as const) {
          const { message } = requireStatus(400, await put(uid, { 'spc:rows': sent }))
          assert.equal(message, `Unable to deserialize property: ${xpath}`)
        }
      })
    })

    describe('that are made of parts', () => {
      const earlier = { street: 'High Street', city: 'Leeds', since: '2001' }
      const nothing = { street: null, city: null, since: null }
      const parts = [
        { sent: { city: 'York' }, read: { ...nothing, city: 'York' }, how: 'lose the parts that were not sent' },
        { sent: { city: null }, read: nothing, how: 'lose all when the only part sent is null' },
        { sent: {}, read: nothing, how: 'lose all when nothing is in them' },
        { sent: null, read: nothing, how: 'lose all by null' },
        { sent: { unheard: 'of', city: 'York' }, read: { ...nothing, city: 'York' }, how: 'ignore parts that nobody knows' },
      ]
      for (const { sent, read, how } of parts) {
        test(`${how}: ${JSON.stringify(sent)}`, async () => {
          assert.deepEqual(await readAfter('Specimen', 'spc:address', earlier, sent), read)
        })
      }

      for (const sent of ['text', '', 5, true, [], [{}]]) {
        test(`refuse ${JSON.stringify(sent)}`, async () => {
          const { uid } = await bench.create('Specimen')
          const { message } = requireStatus(400, await put(uid, { 'spc:address': sent }))
          assert.equal(message, 'Unable to deserialize property: spc:address')
        })
      }

      test('lose inner parts like outer ones', async () => {
        const nested = { label: 'a', inner: { deep: ['x', 'y'], level: 3 } }
        assert.deepEqual(await readAfter('Specimen', 'spc:nested', nested, { inner: { level: 4 } }), {
          label: null,
          inner: { deep: [], level: 4 },
        })
      })
    })

    describe('by their names', () => {
      const spellings = [
        { type: 'Specimen', sent: 'spc:text', read: 'spc:text', taken: true, how: 'prefix and field' },
        { type: 'Specimen', sent: 'specimen:text', read: 'spc:text', taken: true, how: 'schema and field' },
        {
          type: 'Filled',
          sent: 'filled:word',
          read: 'filled:word',
          taken: true,
          how: 'schema and field where there is no prefix',
        },
        { type: 'Specimen', sent: 'text', read: 'spc:text', taken: false, how: 'the bare field' },
        { type: 'Specimen', sent: 'spc:unheard-of', read: 'spc:text', taken: false, how: 'an unknown field' },
        { type: 'Specimen', sent: 'unheard:text', read: 'spc:text', taken: false, how: 'an unknown prefix' },
        { type: 'Specimen', sent: 'note:note', read: 'spc:text', taken: false, how: 'a field of a schema it lacks' },
        { type: 'Specimen', sent: 'spc:words/0', read: 'spc:words', taken: false, how: 'an item' },
      ]
      for (const { type, sent, read, taken, how } of spellings) {
        test(`${taken ? 'are taken' : 'are ignored'}: ${how}, ${sent}`, async () => {
          const { uid } = await bench.create(type, { 'spc:text': 'old', 'spc:words': ['old'] })
          const earlier = await bench.readProperties(uid)
          await bench.update(uid, { [sent]: 'new' })
          const later = await bench.readProperties(uid)
          if (taken) assert.equal(later[read], 'new')
          else assert.deepEqual(later, earlier)
        })
      }

      test('do not reach into parts or files', async () => {
        const { uid } = await bench.create('Specimen', {
          'spc:address': { city: 'Leeds' },
          'file:content': { data: 'x', name: 'a.txt' },
        })
        const earlier = await bench.readProperties(uid)
        await bench.update(uid, { 'spc:address/city': 'York', 'file:content/name': 'b.txt' })
        assert.deepEqual(await bench.readProperties(uid), earlier)
      })

      test('may be of schemas that the new document lacks', async () => {
        const { uid } = await bench.create('Folder', { 'note:note': 'x', 'nobody:knows': 1, bare: true, 'dc:title': 'kept' })
        assert.equal((await bench.readProperties(uid))['dc:title'], 'kept')
      })
    })

    describe('that have defaults', () => {
      const defaults = {
        'filled:word': 'given',
        'filled:number': 7,
        'filled:words': ['one', 'two'],
        'filled:part': { name: 'part', remark: null },
      }
      const readFilled = async (uid: string) => (await bench.read(uid, { properties: 'filled' })).properties

      test('start with them', async () => {
        assert.deepEqual(await readFilled((await bench.create('Filled')).uid), defaults)
      })

      test('keep what is sent instead', async () => {
        const sent = {
          'filled:word': '',
          'filled:number': 0,
          'filled:words': ['three'],
          'filled:part': { name: 'x', remark: 'y' },
        }
        assert.deepEqual(await readFilled((await bench.create('Filled', sent)).uid), sent)
      })

      test('fall back to them when a new document says null', async () => {
        const nulls = Object.fromEntries(Object.keys(defaults).map((name) => [name, null]))
        assert.deepEqual(await readFilled((await bench.create('Filled', nulls)).uid), defaults)
      })

      test('fill the parts that were not sent', async () => {
        const { uid } = await bench.create('Filled', { 'filled:part': { remark: 'only' } })
        assert.deepEqual((await readFilled(uid))['filled:part'], { name: 'part', remark: 'only' })
      })
    })

    describe('that a listener sets on new documents', () => {
      test('are kept unless something else is sent, null included', async () => {
        const listened = async (sent: object) => {
          const properties = await bench.readProperties((await bench.create('Prefilled', sent)).uid)
          return [properties['spc:text'], properties['spc:words']]
        }
        assert.deepEqual(await listened({}), ['by the listener', ['by', 'listener']])
        assert.deepEqual(await listened({ 'spc:text': 'mine' }), ['mine', ['by', 'listener']])
        assert.deepEqual(await listened({ 'spc:text': null, 'spc:words': null }), [null, []])
      })
    })

    describe('that are secured', () => {
      const message = 'Cannot set the value of property: grade since it is readonly'

      test('are for administrators to set, and for all to send back as they are', async () => {
        const { uid, path } = await bench.create('Guarded', { 'grd:grade': 'B' })
        const { uid: folder } = await bench.create('Folder')
        for (const id of [uid, folder]) {
          await bench.setAcls(id, [{ name: 'local', aces: [grant('alice', 'Everything')] }])
        }
        const as = (user: string, grade: string) =>
          server
            .as(user)
            .put(`/path${path}`, { 'entity-type': 'document', properties: { 'grd:grade': grade, 'grd:remark': grade } })
        assert.equal(requireStatus(400, await as('alice', 'A')).message, message)
        requireStatus(200, await as('alice', 'B'))
        requireStatus(200, await as('Administrator', 'A'))
        assert.equal((await bench.readProperties(uid))['grd:grade'], 'A')
        const born = (properties: object) =>
          server.as('alice').post(`/id/${folder}`, { 'entity-type': 'document', type: 'Guarded', name: 'new', properties })
        assert.equal(requireStatus(400, await born({ 'grd:grade': 'A' })).message, message)
        requireStatus(201, await born({ 'grd:remark': 'fine', 'grd:grade': 'C' }))
      })
    })
  },
  { plugins: [specimens] },
)
