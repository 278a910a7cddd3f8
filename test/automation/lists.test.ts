import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operationBenchOn, refusalsOf } from '../support/operation-bench.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'

onEachServer(
  '2.1 list properties',
  (server) => {
    const bench = operationBenchOn(server)
    const withWords = async (...words: string[]): Promise<string> => (await bench.make('Specimen', { 'spc:words': words })).uid
    const property = async (uid: string, name: string) => (await bench.readProperties(uid))[name]
    const words = (uid: string) => property(uid, 'spc:words')

    const refusalsOnScalarLists = (params: object) => ({
      'for a single value': async () => ({
        input: await withWords(),
        params: { ...params, xpath: 'spc:text' },
        status: 400,
        message: 'spc:text is not a list',
      }),
      'for a list of something else': async () => ({
        input: await withWords(),
        params: { ...params, xpath: 'spc:rows' },
        status: 400,
        message: 'spc:rows is a list of something else. Use Document.AddItemToListProperty for it.',
      }),
      'for a value of another type': async () => ({
        input: await withWords(),
        params: { ...params, xpath: 'spc:counts', value: 'many' },
        status: 400,
        message: 'Unable to deserialize property: spc:counts/0',
      }),
      'for several values': async () => ({
        input: await withWords(),
        params: { ...params, xpath: 'spc:words', value: ['a', 'b'] },
        status: 400,
        message: 'spc:words cannot be set to one value. Send one text or number at a time.',
      }),
      'without a value': async () => ({
        input: await withWords(),
        params: { xpath: 'spc:words' },
        status: 400,
        message: /Failed to inject parameter 'value'/,
      }),
      'to who can only read': async () => ({
        as: 'reader' as const,
        input: await withWords('a'),
        params: { xpath: 'spc:words', ...params },
        status: 403,
        message: privilegeMissing('WriteProperties', 'reader'),
      }),
      'to who does not hold the lock': async () => {
        const input = await withWords('a')
        await bench.run('Document.Lock', input, {}, { as: 'owner' })
        const message = privilegeMissing('WriteProperties', 'writer')
        return { as: 'writer' as const, input, params: { xpath: 'spc:words', ...params }, status: 403, message }
      },
    })

    describe('DocumentMultivaluedProperty.addItem', () => {
      const add = (input: unknown, params: object) =>
        bench.run('DocumentMultivaluedProperty.addItem', input, params, { as: 'writer' })
      test('adds a value at the end', async () => {
        const uid = await withWords('b')
        await add(uid, { xpath: 'spc:words', value: 'a' })
        assert.deepEqual(await words(uid), ['b', 'a'])
      })
      test('begins a list that is not there', async () => {
        const uid = await withWords()
        await bench.run('AddEntryToMultivaluedProperty', uid, { xpath: 'spc:counts', value: '12' })
        assert.deepEqual(await property(uid, 'spc:counts'), [12])
      })
      test('adds no value that is there, unless told', async () => {
        const uid = await withWords('a', 'b')
        await add(uid, { xpath: 'spc:words', value: 'a' })
        assert.deepEqual(await words(uid), ['a', 'b'])
        await add(uid, { xpath: 'spc:words', value: 'a', checkExists: false })
        assert.deepEqual(await words(uid), ['a', 'b', 'a'])
      })
      test('knows dates and numbers by what they mean', async () => {
        const { uid } = await bench.make('Specimen', { 'spc:counts': [1], 'spc:moments': ['2031-01-31T00:00:00.000Z'] })
        await add(uid, { xpath: 'spc:counts', value: '1' })
        await add(uid, { xpath: 'spc:moments', value: '2031-01-31T01:00:00+01:00' })
        assert.deepEqual(await property(uid, 'spc:counts'), [1])
        assert.equal((await property(uid, 'spc:moments')).length, 1)
      })
      test('reaches a list inside another', async () => {
        const { uid } = await bench.make('Specimen', { 'spc:rows': [{ label: 'one', tags: ['a'] }] })
        await add(uid, { xpath: 'spc:rows/0/tags', value: 'b' })
        assert.deepEqual((await property(uid, 'spc:rows'))[0].tags, ['a', 'b'])
      })
      test('works on several documents, and without saving stores nothing', async () => {
        const uids = [await withWords('a'), await withWords('b')]
        await add(uids, { xpath: 'spc:words', value: 'c', save: false })
        assert.deepEqual([await words(uids[0] ?? ''), await words(uids[1] ?? '')], [['a'], ['b']])
        await add(uids, { xpath: 'spc:words', value: 'c' })
        assert.deepEqual(
          [await words(uids[0] ?? ''), await words(uids[1] ?? '')],
          [
            ['a', 'c'],
            ['b', 'c'],
          ],
        )
      })
      test('loses nothing of what many add at once', async () => {
        const uid = await withWords()
        const values = Array.from({ length: 12 }, (_, index) => `word ${index}`)
        await Promise.all(values.map((value) => add(uid, { xpath: 'spc:words', value })))
        assert.deepEqual((await words(uid)).sort(), values.sort())
      })
      refusalsOf(bench, 'DocumentMultivaluedProperty.addItem', {
        ...refusalsOnScalarLists({ value: 'a' }),
        'for a value that is not valid': async () => ({
          input: (await bench.make('Specimen')).uid,
          params: { xpath: 'spc:ratios', value: 'much' },
          status: 400,
          message: 'Unable to deserialize property: spc:ratios/0',
        }),
      })
    })

    describe('Document.RemoveEntryOfMultivaluedProperty', () => {
      const remove = (input: unknown, params: object) =>
        bench.run('Document.RemoveEntryOfMultivaluedProperty', input, params, { as: 'writer' })
      test('takes all occurrences of the value out', async () => {
        const uid = await withWords('a', 'b', 'a')
        await remove(uid, { xpath: 'spc:words', value: 'a' })
        assert.deepEqual(await words(uid), ['b'])
      })
      test('takes only the first out when told', async () => {
        const uid = await withWords('b', 'a', 'c', 'a')
        await bench.run('RemoveEntryOfMultivaluedProperty', uid, { xpath: 'spc:words', value: 'a', 'is Remove All': false })
        assert.deepEqual(await words(uid), ['b', 'c', 'a'])
      })
      test('finds numbers by their value', async () => {
        const { uid } = await bench.make('Specimen', { 'spc:counts': [1, 2, 3] })
        await remove([uid], { xpath: 'spc:counts', value: '2' })
        assert.deepEqual(await property(uid, 'spc:counts'), [1, 3])
      })
      test('does nothing when the value is not there', async () => {
        const uid = await withWords('a')
        for (const removesAll of [true, false]) await remove(uid, { xpath: 'spc:words', value: 'x', 'is Remove All': removesAll })
        assert.deepEqual(await words(uid), ['a'])
      })
      refusalsOf(bench, 'Document.RemoveEntryOfMultivaluedProperty', refusalsOnScalarLists({ value: 'a' }))
    })

    describe('Document.AddItemToListProperty', () => {
      const add = (uid: string, complexJsonProperties: string, xpath = 'spc:rows') =>
        bench.run('Document.AddItemToListProperty', uid, { xpath, complexJsonProperties }, { as: 'writer' })
      const row = (given: object) => ({ label: null, count: null, picture: null, tags: [], ...given })
      test('adds the items of a JSON array at the end', async () => {
        const { uid } = await bench.make('Specimen', { 'spc:rows': [{ label: 'first' }] })
        await add(uid, '[{"label":"second","count":2},{"label":"third","tags":["a","b"]}]')
        const expected = [row({ label: 'first' }), row({ label: 'second', count: 2 }), row({ label: 'third', tags: ['a', 'b'] })]
        assert.deepEqual(await property(uid, 'spc:rows'), expected)
      })
      test('takes field names without quotes, and one item without its array', async () => {
        const { uid } = await bench.make('Specimen')
        await add(uid, '{label: "only"}')
        assert.deepEqual(await property(uid, 'spc:rows'), [row({ label: 'only' })])
      })
      test('adds files to a list of files', async () => {
        const { uid } = await bench.make('File')
        await add(uid, '[{"file":{"data":"bytes","name":"a.txt","mime-type":"text/plain"}}]', 'files:files')
        assert.equal((await property(uid, 'files:files'))[0].file.name, 'a.txt')
      })
      const refused = async (complexJsonProperties: string | undefined, message: string | RegExp, xpath = 'spc:rows') => ({
        input: (await bench.make('Specimen')).uid,
        params: { xpath, complexJsonProperties },
        status: 400,
        message,
      })
      refusalsOf(bench, 'Document.AddItemToListProperty', {
        'without items': () => refused(undefined, /Failed to inject parameter 'complexJsonProperties'/),
        'for a text that is no JSON': () => refused('[{', 'The value of spc:rows must be JSON, as a text or as it is.'),
        'for items that do not fit': () => refused('[{"count":"many"}]', 'Unable to deserialize property: spc:rows/0/count'),
        'for a list of single values': () =>
          refused('["a"]', 'spc:words is a list of something else. Use DocumentMultivaluedProperty.addItem for it.', 'spc:words'),
        'for what is no list': () => refused('[{}]', 'spc:address is not a list', 'spc:address'),
        'to who can only read': async () => ({
          ...(await refused('[]', privilegeMissing('WriteProperties', 'reader'))),
          as: 'reader' as const,
          status: 403,
        }),
      })
    })

    describe('Document.RemoveItemFromListProperty', () => {
      const remove = (uid: string, params: object) =>
        bench.run('Document.RemoveItemFromListProperty', uid, params, { as: 'writer' })
      test('takes the item of an index out, the first being 0', async () => {
        const { uid } = await bench.make('Specimen', { 'spc:rows': [{ label: 'a' }, { label: 'b' }, { label: 'c' }] })
        await remove(uid, { xpath: 'spc:rows', index: 0 })
        await remove(uid, { xpath: 'spc:rows', index: '1' })
        assert.deepEqual(
          (await property(uid, 'spc:rows')).map(({ label }: { label: string }) => label),
          ['b'],
        )
      })
      test('takes all out without an index', async () => {
        const { uid } = await bench.make('Specimen', { 'spc:rows': [{ label: 'a' }, { label: 'b' }] })
        await remove(uid, { xpath: 'spc:rows' })
        assert.deepEqual(await property(uid, 'spc:rows'), [])
      })
      test('works on lists of single values too', async () => {
        const uid = await withWords('a', 'b')
        await remove(uid, { xpath: 'spc:words', index: 0 })
        assert.deepEqual(await words(uid), ['b'])
      })
      const refused = async (params: object, message: string | RegExp) => ({
        input: (await bench.make('Specimen', { 'spc:words': ['a'] })).uid,
        params,
        status: 400,
        message,
      })
      refusalsOf(bench, 'Document.RemoveItemFromListProperty', {
        'for what is no list': () => refused({ xpath: 'spc:text', index: 0 }, 'spc:text is not a list'),
        'for an item that is not there': () =>
          refused({ xpath: 'spc:words', index: 1 }, 'There is no spc:words/1: the list has 1 item(s)'),
        'for an index before the first': () =>
          refused({ xpath: 'spc:words', index: -1 }, 'There is no spc:words/-1: the list has 1 item(s)'),
        'for an index that is no number': () =>
          refused({ xpath: 'spc:words', index: 'first' }, /Parameter 'index' must be of type integer/),
        'to who can only read': async () => ({
          ...(await refused({ xpath: 'spc:words' }, privilegeMissing('WriteProperties', 'reader'))),
          as: 'reader' as const,
          status: 403,
        }),
      })
    })
  },
  { plugins: [specimens] },
)
