import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { raw } from 'sql-template-tag'
import { onEachEngine } from '../../../../test/support/engines.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { EntrySearch, StoredEntry, TermPattern } from '../../directories.ts'
import { foldTerm, longestTerm, matchesTerm } from '../../directory-terms.ts'
import type { Store } from '../../store.ts'

const fields = ['name', 'city']

function person(id: string, name: string, city: string, more: { [field: string]: PropertyValue } = {}): StoredEntry {
  return { id, values: { name, city, ...more }, terms: { name: foldTerm(name), city: foldTerm(city) } }
}

const people = [
  person('1', 'Ana', 'Oslo', { age: 9, isMember: true }),
  person('2', 'anton', 'Lima', { age: 10, isMember: false }),
  person('3', 'Émile', 'Anvers', { age: 100, isMember: true }),
  person('4', 'Zoé', 'Oslo', { age: null }),
  person('5', 'bo_b', 'b%n', {}),
]

onEachEngine('searching a directory', (engine) => {
  const open = async (entries: readonly StoredEntry[] = people) => {
    const store = await engine.openStore()
    await store.transact(async ({ directories }) => {
      await directories.insert('other', person('x', 'Ana', 'Oslo'))
      for (const entry of entries) assert.equal(await directories.insert('people', entry), true)
    })
    return store
  }
  const find = async (store: Store, search: Partial<EntrySearch>) => {
    const found = await store.reader.directories.search({ directory: 'people', order: [], offset: 0, limit: 100, ...search })
    return { ids: found.entries.map(({ id }) => id), total: found.total }
  }
  const idsOf = async (store: Store, search: Partial<EntrySearch>) => (await find(store, search)).ids
  const matching = (text: string, more: Partial<TermPattern> = {}) => ({
    matching: { fields, pattern: { text, place: 'initial', hasWildcards: false, ...more } as const },
  })

  test('finds what begins so, holds it or ends so in any of the fields, each entry once', async () => {
    const store = await open()
    assert.deepEqual(await idsOf(store, matching('an')), ['1', '2', '3'])
    assert.deepEqual(await idsOf(store, matching('')), ['1', '2', '3', '4', '5'])
    assert.deepEqual(await idsOf(store, matching('é')), ['3'])
    assert.deepEqual(await idsOf(store, matching('l', { place: 'any' })), ['1', '2', '3', '4'])
    assert.deepEqual(await idsOf(store, matching('o', { place: 'final' })), ['1', '4'])
    assert.deepEqual(await idsOf(store, matching('nobody')), [])
    assert.deepEqual(await idsOf(store, { matching: { ...matching('an').matching, fields: ['city'] } }), ['3'])
    assert.deepEqual(await idsOf(store, { matching: { ...matching('an').matching, fields: [] } }), [])
  })

  test('finds what matches each of several texts, be it in different fields', async () => {
    const store = await open()
    const also = (text: string) => [matching(text).matching]
    assert.deepEqual(await find(store, { ...matching('an'), alsoMatching: also('os') }), { ids: ['1'], total: 1 })
    assert.deepEqual(await find(store, { ...matching('an'), alsoMatching: also('zo') }), { ids: [], total: 0 })
    assert.deepEqual(await find(store, { ...matching('an'), alsoMatching: also('os'), limit: 0 }), { ids: [], total: 1 })
  })

  test('finds what one of some entries refers to', async () => {
    const store = await open()
    await store.transact(async ({ directories }) => {
      await directories.replaceTargets('members', 'north', ['2', '4', 'gone'])
      await directories.replaceTargets('members', 'south', ['4', '5'])
      await directories.replaceTargets('friends', 'north', ['1'])
    })
    const membersOf = (...by: string[]) => ({ referredTo: { reference: 'members', by } })
    assert.deepEqual(await idsOf(store, membersOf('north')), ['2', '4'])
    assert.deepEqual(await idsOf(store, membersOf('north', 'south')), ['2', '4', '5'])
    assert.deepEqual(await idsOf(store, membersOf('nowhere')), [])
    assert.deepEqual(await idsOf(store, membersOf()), [])
    assert.deepEqual(await find(store, { ...matching('an'), ...membersOf('north'), limit: 0 }), { ids: [], total: 1 })
  })

  test('takes percent and underscore for other characters only when told to', async () => {
    const store = await open()
    assert.deepEqual(await idsOf(store, matching('b%')), ['5'])
    assert.deepEqual(await idsOf(store, matching('_')), [])
    const wild = { hasWildcards: true }
    assert.deepEqual(await idsOf(store, matching('_n', wild)), ['1', '2', '3'])
    assert.deepEqual(await idsOf(store, matching('a%n', wild)), ['1', '2', '3'])
    assert.deepEqual(await idsOf(store, matching('%s%o', wild)), ['1', '4'])
    assert.deepEqual(await idsOf(store, matching('o\\_', wild)), [])
    assert.deepEqual(await idsOf(store, matching('bo\\_', wild)), ['5'])
    assert.deepEqual(await idsOf(store, matching('*', wild)), [])
    assert.deepEqual(await idsOf(store, matching('\\', wild)), [])
    assert.deepEqual(await idsOf(store, matching('\\bo', wild)), [])
  })

  test('finds nothing by a text that cannot be stored', async () => {
    const store = await open()
    for (const text of ['\0', 'an\ud800', 'a'.repeat(1_000_000)]) assert.deepEqual(await idsOf(store, matching(text)), [])
    assert.equal(await store.reader.directories.find('people', '1\0'), undefined)
    assert.deepEqual(await store.reader.directories.findAll('people', ['\ud800', '2']), [people[1]].map(withoutTerms))
  })

  test('finds the entries with just these values, where a null is also what is not there', async () => {
    const store = await open()
    assert.deepEqual(await idsOf(store, { equal: { city: 'Oslo' } }), ['1', '4'])
    assert.deepEqual(await idsOf(store, { equal: { city: 'oslo' } }), [])
    assert.deepEqual(await idsOf(store, { equal: { city: 'Oslo', age: 9 } }), ['1'])
    assert.deepEqual(await idsOf(store, { equal: { age: 10 } }), ['2'])
    assert.deepEqual(await idsOf(store, { equal: { age: '10' } }), [])
    assert.deepEqual(await idsOf(store, { equal: { isMember: true } }), ['1', '3'])
    assert.deepEqual(await idsOf(store, { equal: { age: null } }), ['4', '5'])
    assert.deepEqual(await idsOf(store, { equal: { name: 'Ana' }, ...matching('osl') }), ['1'])
    assert.deepEqual(await idsOf(store, { equal: { name: 'a\0' } }), [])
  })

  test('finds the entries with just these terms', async () => {
    const store = await open()
    assert.deepEqual(await idsOf(store, { terms: { city: 'oslo' } }), ['1', '4'])
    assert.deepEqual(await idsOf(store, { terms: { city: 'oslo', name: 'ana' } }), ['1'])
    assert.deepEqual(await idsOf(store, { terms: { city: 'osl' } }), [])
    assert.deepEqual(await idsOf(store, { terms: { city: 'o\0' } }), [])
  })

  test('orders by terms without regard to case, numbers as numbers, nulls first, and at last by id', async () => {
    const store = await open()
    const by = (field: string, isAscending = true) => ({ order: [{ field, isAscending }] })
    const expectOrders = async () => {
      assert.deepEqual(await idsOf(store, by('name')), ['1', '2', '5', '4', '3'])
      assert.deepEqual(await idsOf(store, by('name', false)), ['3', '4', '5', '2', '1'])
      assert.deepEqual(await idsOf(store, by('city', false)), ['4', '1', '2', '5', '3'])
      assert.deepEqual(await idsOf(store, by('age')), ['4', '5', '1', '2', '3'])
      assert.deepEqual(await idsOf(store, by('age', false)), ['3', '2', '1', '5', '4'])
      assert.deepEqual(await idsOf(store, by('isMember')), ['4', '5', '2', '1', '3'])
      assert.deepEqual(await idsOf(store, { order: [...by('city').order, ...by('age', false).order] }), ['3', '5', '2', '1', '4'])
      assert.deepEqual(await idsOf(store, { ...matching('an'), ...by('name', false) }), ['3', '2', '1'])
      assert.deepEqual(await idsOf(store, { equal: { city: 'Oslo' }, ...by('name', false) }), ['4', '1'])
    }
    await expectOrders()
    await index(store)
    await expectOrders()
  })

  test('gives a page and how many there are of all pages', async () => {
    const store = await open()
    const byName = { order: [{ field: 'name', isAscending: true }] }
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await find(store, { ...byName, limit: 2 }), { ids: ['1', '2'], total: 5 })
      assert.deepEqual(await find(store, { ...byName, limit: 2, offset: 4 }), { ids: ['3'], total: 5 })
      assert.deepEqual(await find(store, { ...byName, limit: 2, offset: 9 }), { ids: [], total: 5 })
      assert.deepEqual(await find(store, { ...matching('an'), limit: 1, offset: 1 }), { ids: ['2'], total: 3 })
      assert.deepEqual(await find(store, { equal: { city: 'Oslo' }, limit: 1 }), { ids: ['1'], total: 2 })
      assert.deepEqual(await find(store, { terms: { city: 'oslo' }, limit: 1 }), { ids: ['1'], total: 2 })
      await index(store)
    }
  })

  test('gives the pages of a whole directory as parts of it, by a second field among those that are alike in the first', async () => {
    const store = await open(Array.from({ length: 60 }, (_, number) => crowded(number)))
    await index(store)
    const ways = [true, false].flatMap((isAscending) => [
      [{ field: 'name', isAscending }],
      [
        { field: 'name', isAscending },
        { field: 'age', isAscending: !isAscending },
      ],
    ])
    for (const order of ways) {
      const all = await idsOf(store, { order })
      // One that narrows nothing down is not taken from the keys alone.
      assert.deepEqual(all, await idsOf(store, { order, equal: { city: 'Oslo' } }))
      for (const offset of [0, 7, 23, 55, 60])
        assert.deepEqual(await find(store, { order, offset, limit: 9 }), { ids: all.slice(offset, offset + 9), total: 60 })
    }
  })

  test('counts and pages through more keys than are gone through at once', async () => {
    const database = await engine.createDatabase()
    const store = await database.open()
    await store.transact(({ directories }) => directories.noteIndexedFields(new Map([['people', ['name']]])))
    const numbers = 'WITH RECURSIVE numbers(n) AS (SELECT 10000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 55000)'
    await database.query(raw(`${numbers} INSERT INTO directory_entries SELECT 'people', 'p' || n, '{}' FROM numbers`))
    await database.query(
      raw(`${numbers} INSERT INTO directory_terms SELECT 'people', 'name', 'n' || (99999 - n), 'p' || n FROM numbers`),
    )
    const page = (isAscending: boolean) => find(store, { order: [{ field: 'name', isAscending }], offset: 44_999, limit: 9 })
    assert.deepEqual(await page(true), { ids: ['p10001', 'p10000'], total: 45_001 })
    assert.deepEqual(await page(false), { ids: ['p54999', 'p55000'], total: 45_001 })
  })

  test('gives no entries and stops counting when there are more than may be found', async () => {
    const store = await open()
    const none = (total: number) => ({ ids: [], total })
    assert.deepEqual(await find(store, { ...matching(''), limit: 1, countLimit: 2 }), none(3))
    assert.deepEqual(await find(store, { limit: 1, countLimit: 2 }), none(3))
    assert.deepEqual(await find(store, { equal: { city: 'Oslo' }, limit: 1, countLimit: 0 }), none(1))
    assert.deepEqual(await find(store, { ...matching('an'), limit: 1, countLimit: 2 }), none(3))
    assert.deepEqual(await find(store, { ...matching('an'), limit: 1, countLimit: 3 }), { ids: ['1'], total: 3 })
    assert.deepEqual(await find(store, { ...matching('an'), offset: 2, countLimit: 3 }), { ids: ['3'], total: 3 })
  })

  test('follows an entry that is changed or removed', async () => {
    const store = await open()
    await store.transact(async ({ directories }) => {
      await directories.update('people', person('1', 'Zita', 'Rome'))
      await directories.remove('people', '2')
      await directories.removeAll('people', ['3', 'nobody'])
      assert.equal(await directories.update('people', person('9', 'Ana', 'Oslo')), false)
      assert.equal(await directories.insert('people', person('1', 'Ana', 'Oslo')), false)
      const found = await directories.search({ directory: 'people', ...matching('an'), order: [], offset: 0, limit: 9 })
      assert.deepEqual(found, { entries: [], total: 0 })
    })
    assert.deepEqual(await idsOf(store, matching('z')), ['1', '4'])
    assert.deepEqual(await idsOf(store, { ...matching('an'), directory: 'other' }), ['x'])
  })

  test('knows a long value by its beginning, wherever a pair of surrogates stands', async () => {
    const long = 'é😀'.repeat(longestTerm)
    const store = await open([person('1', long, 'Oslo'), person('2', `a${long}`, 'Oslo')])
    assert.deepEqual(await idsOf(store, matching('é😀é')), ['1'])
    assert.deepEqual(await idsOf(store, { terms: { name: `a${long}` } }), ['2'])
    assert.deepEqual((await store.reader.directories.find('people', '1'))?.values['name'], long)
  })

  test('gives older entries their terms, and says of which fields', async () => {
    const store = await open(people.map(withoutTerms))
    assert.deepEqual(await idsOf(store, matching('an')), [])
    assert.equal((await store.reader.directories.listIndexedFields()).get('people'), undefined)
    assert.equal(await index(store), 5)
    assert.deepEqual((await store.reader.directories.listIndexedFields()).get('people'), fields)
    assert.deepEqual(await idsOf(store, matching('an')), ['1', '2', '3'])
    assert.equal(
      await store.transact(({ directories }) => directories.indexTerms('people', ['city'], ({ values }) => textsOf(values))),
      5,
    )
    assert.deepEqual(await idsOf(store, matching('an')), ['3'])
    assert.deepEqual(await idsOf(store, { ...matching('an'), directory: 'other' }), ['x'])
  })

  test('gives terms to more entries than are read at once', async () => {
    const store = await open([])
    await store.transact(async ({ directories }) => {
      for (let number = 0; number < 2_050; number += 1) {
        await directories.insert('people', { id: `p${number}`, values: { name: `N${number % 7}`, city: 'x' } })
      }
    })
    assert.equal(await index(store), 2_050)
    assert.equal((await find(store, { ...matching('n'), limit: 1 })).total, 2_050)
    assert.equal((await find(store, { ...matching('n3'), limit: 1 })).total, 293)
  })

  test('finds by a pattern what the pattern describes, on any texts', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '%', '_', '\\', '*', '?', '[', '😀', '\uffff', ' '),
      maxLength: 4,
    })
    const store = await open([])
    const terms = fc.sample(text, { numRuns: 150, seed: 7 })
    await store.transact(async ({ directories }) => {
      for (const [number, term] of terms.entries())
        await directories.insert('people', { id: String(number), values: {}, terms: { name: term } })
    })
    const pattern = fc.record({ text, place: fc.constantFrom('initial', 'any', 'final'), hasWildcards: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(pattern, async (wanted) => {
        const found = await idsOf(store, { matching: { fields: ['name'], pattern: wanted as TermPattern }, limit: 1_000 })
        const expected = [...terms.keys()].filter((number) => matchesTerm(wanted as TermPattern, terms[number] ?? ''))
        assert.deepEqual(
          found.map(Number).sort((a, b) => a - b),
          expected,
        )
      }),
      { numRuns: 60 },
    )
  })
})

const crowded = (number: number) => person(`p${(number * 7) % 60}`, `Name${number % 4}`, 'Oslo', { age: (number * 11) % 13 })

const index = (store: Store) =>
  store.transact(({ directories }) => directories.indexTerms('people', fields, ({ values }) => textsOf(values)))

function textsOf(values: StoredEntry['values']): { [field: string]: string } {
  return Object.fromEntries(fields.map((field) => [field, foldTerm(String(values[field]))]))
}

function withoutTerms(entry: StoredEntry | undefined): StoredEntry {
  return { id: entry?.id ?? '', values: entry?.values ?? {} }
}
