import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SqlRow, SqlStatement } from '../sql/connection.ts'
import { batchLookups } from './batched-lookups.ts'
import { databaseState } from './lookup-statements.ts'

/** A server whose state is as told, and that has no documents. */
function aServer() {
  const sent: (readonly SqlStatement[])[] = []
  const state = { server: 'started today', version: '7:7:' }
  let otherServers = 0
  const lookups = batchLookups(
    async (statements) => {
      sent.push(statements)
      for (let turn = 0; turn < 10; turn++) await nextTurn()
      return statements.map((statement): readonly SqlRow[] =>
        statement === databaseState ? [[state.server, state.version, 1, 2]] : [],
      )
    },
    () => {
      otherServers += 1
    },
  )
  /** Waits until so much was sent, which is before it is answered. */
  const untilSent = async (count: number) => {
    while (sent.length < count) await nextTurn()
  }
  return { sent, untilSent, state, lookups, otherServers: () => otherServers }
}

describe('look-ups of one turn', () => {
  test('go to the database together, with the state first', async () => {
    const { sent, lookups } = aServer()
    await Promise.all([
      lookups.readState(),
      lookups.ask(({ documents }) => documents.set('a', null)),
      lookups.ask(({ documents, paths }) => documents.set('b', '5') && paths.add('/c')),
    ])
    assert.deepEqual(
      sent.map((statements) => statements.map(({ values }) => values)),
      [
        [
          [],
          [
            ['a', 'b'],
            [null, '5'],
          ],
          [['/c']],
        ],
      ],
    )
  })

  test('tell what was asked about a known row from what was not known', async () => {
    const { lookups } = aServer()
    const answered = await lookups.ask(({ documents }) => documents.set('a', null).set('b', '5'))
    assert.deepEqual([answered.document('a'), answered.document('b')], ['none', 'same'])
  })

  test('that come while others are on their way are not answered by those', async () => {
    const { sent, untilSent, state, lookups } = aServer()
    const first = lookups.readState()
    await untilSent(1)
    const second = lookups.readState()
    const third = lookups.readState()
    await first
    state.version = '8:8:'
    assert.notEqual((await second).version, (await first).version)
    assert.equal(await third, await second)
    assert.equal(sent.length, 2)
  })

  test('tell of the version of the state that they brought last, also later', async () => {
    const { state, lookups } = aServer()
    assert.equal(lookups.lastVersion(), undefined)
    const first = await lookups.readState()
    await nextTurn()
    assert.equal(lookups.lastVersion(), first.version)
    state.version = '8:8:'
    assert.equal(lookups.lastVersion(), first.version)
    const second = await lookups.readState()
    assert.equal(lookups.lastVersion(), second.version)
    assert.notEqual(second.version, first.version)
  })

  test('wait for nobody who asks only for the state', async () => {
    const { untilSent, lookups } = aServer()
    const answered: string[] = []
    const first = lookups.readState().then(() => answered.push('state'))
    await untilSent(1)
    const second = lookups.ask(({ documents }) => documents.set('a', null)).then(() => answered.push('document'))
    await untilSent(2)
    assert.deepEqual(answered, [])
    await Promise.all([first, second])
  })
})

describe('the state of the database', () => {
  test('is known to what goes on at once after an answer, and to nothing later', async () => {
    const { lookups } = aServer()
    assert.equal(lookups.known(), undefined)
    await lookups.readState()
    await Promise.resolve()
    assert.equal(lookups.known()?.generation, 1)
    await nextTurn()
    assert.equal(lookups.known(), undefined)
  })

  test('is not known to a request that begins meanwhile', async () => {
    const { lookups } = aServer()
    await lookups.readState()
    lookups.forget()
    assert.equal(lookups.known(), undefined)
  })

  test('has another name once a connection broke, and one that is started anew is told of', async () => {
    const { state, lookups, otherServers } = aServer()
    const before = (await lookups.readState()).version
    await nextTurn()
    assert.equal((await lookups.readState()).version, before)
    lookups.distrust()
    await nextTurn()
    assert.notEqual((await lookups.readState()).version, before)
    assert.equal(otherServers(), 0)
    state.server = 'started tomorrow'
    await nextTurn()
    await lookups.readState()
    assert.equal(otherServers(), 1)
  })
})
