import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ConnectionMoves, isBetterElsewhere, nextRun } from './connection-moves.ts'

/** The run of a connection after these requests: `w` writes, `r` reads. */
function runAfter(requests: string): number {
  return [...requests].reduce((run, kind) => nextRun(run, kind === 'w'), 0)
}

const onReader = { isWriter: false, wasMoved: false, hasSlowTurns: false }
const onWriter = { isWriter: true, wasMoved: false, hasSlowTurns: false }
const broughtToWriter = { isWriter: true, wasMoved: true, hasSlowTurns: false }

describe('a connection', () => {
  test('goes to the process that writes after eight writes in a row', () => {
    assert.equal(isBetterElsewhere(runAfter('w'.repeat(7)), onReader), false)
    assert.equal(isBetterElsewhere(runAfter('w'.repeat(8)), onReader), true)
    assert.equal(isBetterElsewhere(runAfter(`${'w'.repeat(7)}r${'w'.repeat(7)}`), onReader), false)
  })

  test('goes there after the first one where turns at writing are long in coming', () => {
    const onSlowReader = { ...onReader, hasSlowTurns: true }
    assert.equal(isBetterElsewhere(runAfter('w'), onSlowReader), true)
    assert.equal(isBetterElsewhere(runAfter('wr'), onSlowReader), false)
    assert.equal(isBetterElsewhere(runAfter('w'), { ...broughtToWriter, hasSlowTurns: true }), false)
  })

  test('stays with the process that writes while it writes, and goes after 64 reads in a row if it was brought there', () => {
    assert.equal(isBetterElsewhere(runAfter('w'.repeat(1_000)), broughtToWriter), false)
    assert.equal(isBetterElsewhere(runAfter('r'.repeat(63)), broughtToWriter), false)
    assert.equal(isBetterElsewhere(runAfter('r'.repeat(64)), broughtToWriter), true)
    assert.equal(isBetterElsewhere(runAfter('r'.repeat(1_000)), onWriter), false)
  })

  test('stays where it is as long as there is no other process', () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (run, wasMoved) =>
        [true, false].every((hasSlowTurns) => !isBetterElsewhere(run, { isWriter: undefined, wasMoved, hasSlowTurns })),
      ),
    )
  })

  test('is counted by what came last, however much came before', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('w', 'r') }), fc.nat(100), (before, writes) => {
        assert.equal(runAfter(`${before}r${'w'.repeat(writes)}`), writes === 0 ? runAfter(`${before}r`) : writes)
        assert.equal(runAfter(`${before}w${'r'.repeat(writes)}`), writes === 0 ? runAfter(`${before}w`) : -writes)
      }),
    )
  })

  test('that says nothing after it came makes way for others when there are too many', async () => {
    let take = (_: Socket) => {}
    const join = (listener: typeof take) => {
      take = listener
    }
    const siblings = { isWriter: () => true, hasSlowTurns: () => false, move() {}, leave() {}, join }
    const moves = new ConnectionMoves(createServer(), siblings, 2)
    moves.start()
    const sockets = Array.from({ length: 3 }, () => new Socket())
    for (const socket of sockets) take(socket)
    assert.deepEqual(
      sockets.map(({ destroyed }) => destroyed),
      [true, false, false],
    )
    moves.stop()
    assert.ok(sockets.every(({ destroyed }) => destroyed))
    await new Promise(setImmediate)
    assert.equal(moves.silent, 0)
  })
})
