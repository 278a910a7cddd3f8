import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SqlRow, SqlStatement } from '../sql/connection.ts'
import { databaseState } from './turn-statements.ts'
import { createTurns } from './turns.ts'

/** A server whose state is as told, and that has no documents. */
function aServer() {
  const sent: (readonly SqlStatement[])[] = []
  const state = { server: 'started today', version: '7:7:' }
  let otherServers = 0
  const turns = createTurns(
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
  return { sent, untilSent, state, turns, otherServers: () => otherServers }
}

describe('look-ups of one turn', () => {
  test('go to the database together, with the state first', async () => {
    const { sent, turns } = aServer()
    await Promise.all([
      turns.readState(),
      turns.ask(({ documents }) => documents.set('a', null)),
      turns.ask(({ documents, paths }) => documents.set('b', '5') && paths.add('/c')),
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
    const { turns } = aServer()
    const answered = await turns.ask(({ documents }) => documents.set('a', null).set('b', '5'))
    assert.deepEqual([answered.document('a'), answered.document('b')], ['none', 'same'])
  })

  test('that come while others are on their way are not answered by those', async () => {
    const { sent, untilSent, state, turns } = aServer()
    const first = turns.readState()
    await untilSent(1)
    const second = turns.readState()
    const third = turns.readState()
    await first
    state.version = '8:8:'
    assert.notEqual((await second).version, (await first).version)
    assert.equal(await third, await second)
    assert.equal(sent.length, 2)
  })

  test('wait for nobody who asks only for the state', async () => {
    const { untilSent, turns } = aServer()
    const answered: string[] = []
    const first = turns.readState().then(() => answered.push('state'))
    await untilSent(1)
    const second = turns.ask(({ documents }) => documents.set('a', null)).then(() => answered.push('document'))
    await untilSent(2)
    assert.deepEqual(answered, [])
    await Promise.all([first, second])
  })
})

describe('the state of the database', () => {
  test('is known to what goes on at once after an answer, and to nothing later', async () => {
    const { turns } = aServer()
    assert.equal(turns.known(), undefined)
    await turns.readState()
    await Promise.resolve()
    assert.equal(turns.known()?.generation, 1)
    await nextTurn()
    assert.equal(turns.known(), undefined)
  })

  test('is not known to a request that begins meanwhile', async () => {
    const { turns } = aServer()
    await turns.readState()
    turns.forget()
    assert.equal(turns.known(), undefined)
  })

  test('has another name once a connection broke, and one that is started anew is told of', async () => {
    const { state, turns, otherServers } = aServer()
    const before = (await turns.readState()).version
    await nextTurn()
    assert.equal((await turns.readState()).version, before)
    turns.distrust()
    await nextTurn()
    assert.notEqual((await turns.readState()).version, before)
    assert.equal(otherServers(), 0)
    state.server = 'started tomorrow'
    await nextTurn()
    await turns.readState()
    assert.equal(otherServers(), 1)
  })
})
