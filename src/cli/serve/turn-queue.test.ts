import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { noTurnTaken, planTurns, type TurnEvent, type TurnQueue } from './turn-queue.ts'

type Queue = TurnQueue<string>

/** Who is told what, event by event. */
function toldAfter(...events: readonly [kind: TurnEvent<string>['kind'], worker: string][]): readonly string[][] {
  let queue: Queue = noTurnTaken
  return events.map(([kind, worker]) => {
    const plan = planTurns(queue, { kind, worker })
    queue = plan.queue
    return plan.notices.map((notice) => `${notice.worker} ${notice.kind}`)
  })
}

describe('the turn', () => {
  test('is had at once by who is alone, and kept', () => {
    assert.deepEqual(toldAfter(['want', 'a'], ['want', 'a']), [['a turn'], []])
  })

  test('is wanted back once, by the first who waits, and goes to them in order', () => {
    assert.deepEqual(
      toldAfter(['want', 'a'], ['want', 'b'], ['want', 'c'], ['leave', 'a'], ['want', 'a'], ['leave', 'b'], ['leave', 'c']),
      [['a turn'], ['a turnWanted'], [], ['b turn', 'b turnWanted'], [], ['c turn', 'c turnWanted'], ['a turn']],
    )
  })

  test('passes over who has gone while waiting, and goes on from who died with it', () => {
    assert.deepEqual(
      toldAfter(['want', 'a'], ['want', 'b'], ['want', 'c'], ['leave', 'b'], ['leave', 'a'], ['leave', 'c'], ['want', 'b']),
      [['a turn'], ['a turnWanted'], [], [], ['c turn'], [], ['b turn']],
    )
  })
})

/** Workers as they are: they hear what they are told later, in order, and may die at any time. */
interface World {
  queue: Queue
  /** By the worker: notices on their way to it. */
  readonly inbox: Map<string, string[]>
  readonly holders: Set<string>
  readonly asked: string[]
  readonly wantedBack: Set<string>
}

const workers = ['a', 'b', 'c', 'd']

function happen(world: World, event: TurnEvent<string>): void {
  const { queue, notices } = planTurns(world.queue, event)
  world.queue = queue
  for (const { worker, kind } of notices) world.inbox.get(worker)?.push(kind)
}

const acts: Readonly<Record<string, (world: World, worker: string) => void>> = {
  want(world, worker) {
    if (world.holders.has(worker) || world.asked.includes(worker)) return
    world.asked.push(worker)
    happen(world, { kind: 'want', worker })
  },
  hear(world, worker) {
    const notice = world.inbox.get(worker)?.shift()
    if (notice === 'turn') {
      assert.equal(world.asked[0], worker, 'first come, first served')
      world.asked.shift()
      world.holders.add(worker)
    }
    if (notice === 'turnWanted') world.wantedBack.add(worker)
  },
  commit(world, worker) {
    if (!world.holders.has(worker) || !world.wantedBack.has(worker)) return
    world.holders.delete(worker)
    world.wantedBack.delete(worker)
    happen(world, { kind: 'leave', worker })
  },
  die(world, worker) {
    world.holders.delete(worker)
    world.wantedBack.delete(worker)
    world.inbox.set(worker, [])
    if (world.asked.includes(worker)) world.asked.splice(world.asked.indexOf(worker), 1)
    happen(world, { kind: 'leave', worker })
  },
}

function aWorld(): World {
  return {
    queue: noTurnTaken,
    inbox: new Map(workers.map((worker) => [worker, []])),
    holders: new Set(),
    asked: [],
    wantedBack: new Set(),
  }
}

test('whatever workers do, one at most has the turn, and all who asked get it in the order of asking', () => {
  const act = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.constantFrom(...workers))
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (history) => {
      const world = aWorld()
      for (const [name, worker] of history) {
        acts[name]?.(world, worker)
        assert.ok(world.holders.size <= 1, 'one at most')
      }
      // From here on all hear and commit, as living workers do.
      for (let round = 0; round < 40; round++) {
        for (const worker of workers) for (const name of ['hear', 'commit']) acts[name]?.(world, worker)
      }
      assert.deepEqual(world.asked, [], 'nobody waits for ever')
    }),
    { numRuns: 1_000 },
  )
})
