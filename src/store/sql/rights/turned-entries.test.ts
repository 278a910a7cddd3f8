import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { aStoredChild, insertAll, insertRoot } from '../../../../test/support/stored-document.ts'
import type { IsoDate } from '../../../base/iso-date.ts'
import type { Document } from '../../../model/document.ts'
import { type Ace, type Acl, aceStatus, grant } from '../../../model/rights/acl.ts'
import type { Store } from '../../store.ts'

const at = (minute: number): IsoDate => new Date(Date.UTC(2024, 5, 1, 0, minute)).toISOString()
const withAces = (root: Document, name: string, ...aces: Ace[]) => aStoredChild(root, name, { acls: [{ name: 'local', aces }] })

onEachEngine('entries that begin or end', (engine) => {
  const turned = async (store: Store, after: number, until: number) =>
    (await store.reader.acps.listTurned(at(after), at(until))).map(({ name }) => name).toSorted()

  test('within a span are found on the documents that have them, the edges as their status has them', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    const begins = withAces(root, 'begins', grant('bob', 'Read', { begin: at(10) }))
    const ends = withAces(root, 'ends', grant('alice', 'Read'), grant('bob', 'Read', { end: at(10) }))
    const lasts = withAces(root, 'lasts', grant('bob', 'Read'))
    const odd = withAces(root, 'odd', grant('"begin":"2024-06-01T00:10:00.000Z"', 'Read'))
    const second: Acl = { name: 'workflow', aces: [grant('bob', 'Read', { begin: at(1), end: at(40) })] }
    const both = aStoredChild(root, 'both', { acls: [{ name: 'local', aces: [grant('bob', 'Read')] }, second] })
    await insertAll(store, begins, ends, lasts, odd, both, aStoredChild(begins, 'below'))
    assert.deepEqual(await turned(store, 5, 9), [])
    assert.deepEqual(await turned(store, 9, 10), ['begins'])
    assert.deepEqual(await turned(store, 10, 11), ['ends'])
    assert.deepEqual(await turned(store, 0, 60), ['begins', 'both', 'ends'])
    assert.deepEqual(await turned(store, 39, 41), ['both'])
    assert.deepEqual(await turned(store, 11, 39), [])
    assert.deepEqual((await store.reader.acps.listTurned(at(9), at(10)))[0], begins)
  })

  test('are found exactly where the status at the end of a span is not that at its beginning', async () => {
    const store = await engine.openStore()
    const root = await insertRoot(store)
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(someAces, { maxLength: 6 }), aMinute, aMinute, async (lists, one, other) => {
        const [after, until] = [Math.min(one, other), Math.max(one, other)]
        const folder = aStoredChild(root, `round${round++}`)
        const documents = lists.map((aces, index) => withAces(folder, `n${index}`, ...aces))
        const found = await store.transact(async (tx) => {
          await tx.documents.insertMany([folder, ...documents])
          const names = (await tx.acps.listTurned(at(after), at(until))).map(({ name }) => name)
          await tx.documents.removeSubtree(folder)
          return names.toSorted()
        })
        const hasTurned = (ace: Ace) => aceStatus(ace, at(after)) !== aceStatus(ace, at(until))
        assert.deepEqual(
          found,
          documents.filter((_, index) => lists[index]?.some(hasTurned)).map(({ name }) => name),
        )
      }),
      { numRuns: 60 },
    )
  })
})

const aMinute = fc.nat(6)
const aDate = fc.option(aMinute.map(at))
/** An entry does not end before it begins. */
const someAces = fc.array(
  fc
    .tuple(aDate, aDate)
    .map(([begin, end]) => grant('bob', 'Read', { begin, end: begin !== null && end !== null && end < begin ? null : end })),
  { maxLength: 3 },
)
