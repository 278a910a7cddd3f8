import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as delay, setImmediate as round } from 'node:timers/promises'
import { transactionTimedOut } from '../../store/problems.ts'
import { deadlineIn, noDeadline } from '../../store/sql/transact.ts'
import { createTurnDesk, createWriteTurns } from './write-turns.ts'

const file = 'default.sqlite'

/** A desk with workers whose messages take a round of the event loop, as between processes. */
function aDesk() {
  const desk = createTurnDesk()
  const sent: string[] = []
  return {
    sent,
    worker(name: string, patience?: number, slowTurn?: number) {
      const ends = { here: new EventEmitter(), there: new EventEmitter(), connected: true }
      desk.serve({
        on: (event: string, listener: (message: { kind: string }) => void) => ends.there.on(event, listener),
        send: (answer: object) => void setImmediate(() => ends.connected && ends.here.emit('message', answer)),
      })
      const channel = {
        on: (event: string, listener: (message: unknown) => void) => ends.here.on(event, listener),
        get connected() {
          return ends.connected
        },
        send(request: { kind: string }) {
          sent.push(`${name} ${request.kind}`)
          setImmediate(() => ends.connected && ends.there.emit('message', request))
        },
      } as unknown as Parameters<typeof createWriteTurns>[0]
      const turns = createWriteTurns(channel, patience, slowTurn)
      return {
        ...turns.at(file),
        areSlow: turns.areSlow,
        die() {
          ends.connected = false
          ends.there.emit('exit')
        },
        loseParent() {
          ends.connected = false
          ends.here.emit('disconnect')
        },
      }
    },
  }
}

type Worker = ReturnType<ReturnType<typeof aDesk>['worker']>

async function hasGot(taking: Promise<void>): Promise<boolean> {
  let isTaken = false
  taking.then(
    () => {
      isTaken = true
    },
    () => {},
  )
  for (let rounds = 0; rounds < 10; rounds++) await round()
  return isTaken
}

describe('a worker that writes', () => {
  test('asks once for a turn that nobody else wants', async () => {
    const { worker, sent } = aDesk()
    const a = worker('a')
    for (let times = 0; times < 5; times++) {
      await a.take(noDeadline)
      a.giveBack()
    }
    assert.deepEqual(sent, ['a wantTurn'])
  })

  for (const [slowTurn, areSlow] of [
    [10, true],
    [60_000, false],
  ] as const)
    test(`knows whether the last one was ${areSlow ? '' : 'not '}long in coming`, async () => {
      const { worker } = aDesk()
      const [a, b] = [worker('a'), worker('b', undefined, slowTurn)]
      await a.take(noDeadline)
      const taking = b.take(noDeadline)
      await delay(20)
      a.giveBack()
      await taking
      assert.equal(b.areSlow(), areSlow)
    })

  test('waits until the other has committed, and is next', async () => {
    const { worker } = aDesk()
    const [a, b] = [worker('a'), worker('b')]
    await a.take(noDeadline)
    const taking = b.take(noDeadline)
    assert.equal(await hasGot(taking), false)
    a.giveBack()
    await taking
    const again = a.take(noDeadline)
    assert.equal(await hasGot(again), false)
    b.giveBack()
    await again
  })

  test('gets it from one that has it without using it', async () => {
    const { worker } = aDesk()
    const [a, b] = [worker('a'), worker('b')]
    await a.take(noDeadline)
    a.giveBack()
    assert.ok(await hasGot(b.take(noDeadline)))
  })

  test('is alone at it, and as often as others', async () => {
    const { worker } = aDesk()
    const seen: string[] = []
    let writing = 0
    const write = async (name: string, turn: Worker) => {
      for (let times = 0; times < 20; times++) {
        await turn.take(noDeadline)
        assert.equal(++writing, 1)
        seen.push(name)
        await round()
        writing -= 1
        turn.giveBack()
      }
    }
    await Promise.all(['a', 'b', 'c'].map((name) => write(name, worker(name))))
    for (const name of ['a', 'b', 'c']) assert.ok(seen.slice(0, 30).filter((one) => one === name).length >= 9, seen.join(' '))
  })

  test('gets it when the one that has it dies, and not when one dies that waits', async () => {
    const { worker } = aDesk()
    const [a, b, c] = [worker('a'), worker('b'), worker('c')]
    await a.take(noDeadline)
    const waiting = [b.take(noDeadline), c.take(noDeadline)] as const
    await round()
    await round()
    b.die()
    assert.equal(await hasGot(waiting[1]), false)
    a.die()
    assert.ok(await hasGot(waiting[1]))
    assert.equal(await hasGot(waiting[0]), false)
  })

  test('that has given up waiting passes its turn on', async () => {
    const { worker } = aDesk()
    const [a, b, c] = [worker('a'), worker('b'), worker('c')]
    await a.take(noDeadline)
    const late = b.take(deadlineIn(0.01))
    const taking = c.take(noDeadline)
    await assert.rejects(late, transactionTimedOut.is)
    a.giveBack()
    assert.ok(await hasGot(taking))
  })

  test('goes on without a turn once it has waited long enough, and uses the one that comes later', async () => {
    const { worker } = aDesk()
    const [a, b] = [worker('a'), worker('b', 10)]
    await a.take(noDeadline)
    await b.take(noDeadline)
    a.giveBack()
    await delay(10)
    const again = a.take(noDeadline)
    assert.equal(await hasGot(again), false)
    b.giveBack()
    await again
  })

  test('needs no turn when the process that hands them out is gone', async () => {
    const { worker } = aDesk()
    const [a, b] = [worker('a'), worker('b')]
    await a.take(noDeadline)
    const taking = b.take(noDeadline)
    b.loseParent()
    await taking
    b.giveBack()
    await b.take(noDeadline)
  })
})
