import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../test/support/engines.ts'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import { type Ace, grant } from '../model/rights/acl.ts'
import { createPrincipal } from '../model/rights/principal.ts'
import type { Store } from '../store/store.ts'
import { createAcpCache } from './acp-cache.ts'
import type { Session } from './session.ts'

const model = builtinModel
const bob = createPrincipal('bob', ['members'], { isAdministrator: false })

const sessionAt = (store: Store, now = '2030-06-01T00:00:00.000Z'): Session =>
  ({ principal: bob, reader: store.reader, now }) as unknown as Session

const intern = (store: Store, aces: readonly Ace[]) => store.transact((tx) => tx.acps.intern(aces))

onEachEngine('the lists of entries that a principal may browse', (engine) => {
  test('are found, and new ones with the next look', async () => {
    const store = await engine.openStore()
    const cache = createAcpCache(model)
    const readable = await intern(store, [grant('members', 'Read')])
    await intern(store, [grant('others', 'Read')])
    assert.deepEqual(await cache.readableBy(sessionAt(store), 'Browse'), [readable])
    const added = await intern(store, [grant('bob', 'Everything')])
    assert.deepEqual(await cache.readableBy(sessionAt(store), 'Browse'), [readable, added])
  })

  test('change when a time-limited entry begins and ends', async () => {
    const store = await engine.openStore()
    const cache = createAcpCache(model)
    const id = await intern(store, [grant('bob', 'Read', { begin: '2030-01-01T00:00:00.000Z', end: '2030-02-01T00:00:00.000Z' })])
    const at = (now: string) => cache.readableBy(sessionAt(store, now), 'Browse')
    assert.deepEqual(await at('2029-12-31T00:00:00.000Z'), [])
    assert.deepEqual(await at('2030-01-15T00:00:00.000Z'), [id])
    assert.deepEqual(await at('2030-02-01T00:00:00.001Z'), [])
  })

  test('are all, without a filter, for an administrator', async () => {
    const store = await engine.openStore()
    const administrator = createPrincipal('root', [], { isAdministrator: true })
    const session = { ...sessionAt(store), principal: administrator }
    assert.equal(await createAcpCache(model).readableBy(session, 'Browse'), undefined)
  })

  test('are not remembered from a transaction that rolled back', async () => {
    const store = await engine.openStore()
    const cache = createAcpCache(model)
    let lost = 0
    await assert.rejects(
      store.transact(async (tx) => {
        lost = await tx.acps.intern([grant('bob', 'Read')])
        const session = { ...sessionAt(store), reader: tx, tx } as unknown as Session
        assert.deepEqual(await cache.readableBy(session, 'Browse'), [lost])
        assert.equal((await cache.entriesOf(session, lost)).length, 1)
        throw new Error('roll back')
      }),
      { message: 'roll back' },
    )
    const other = await intern(store, [grant('others', 'Read')])
    assert.deepEqual(await cache.readableBy(sessionAt(store), 'Browse'), [])
    assert.deepEqual(await cache.entriesOf(sessionAt(store), other), [grant('others', 'Read')])
  })
})
