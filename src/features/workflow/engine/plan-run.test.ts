import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../../base/problem.ts'
import { type DrawnNode, drawGraph, type RouteGraph } from './graph.ts'
import { planRun, type RouteCause, type RouteEffect, type RouteOutcome } from './plan-run.ts'
import { nodeState, type RouteState, suspendedNodes } from './route-state.ts'

type Decide = (effect: Extract<RouteEffect, { kind: 'decide' }>) => boolean

const always: Decide = () => true

function node(id: string, targets: readonly string[], more: Partial<DrawnNode> = {}): DrawnNode {
  return {
    id,
    kind: 'pass',
    isStart: false,
    isStop: false,
    merge: undefined,
    takesOnlyFirst: false,
    inputChain: undefined,
    outputChain: undefined,
    transitions: targets.map((target, index) => ({ name: `t${index}`, target, condition: 'true', chain: undefined })),
    ...more,
  }
}

const task = { kind: 'task' } as const
const start = (...targets: readonly string[]) => node('start', targets, { isStart: true })
const stop = node('stop', [], { isStop: true })

/** Does what the engine asks for, and remembers what it was. */
function carryOut(graph: RouteGraph, state: RouteState, cause: RouteCause, decide: Decide = always) {
  const effects: RouteEffect[] = []
  const run = planRun(graph, state, cause)
  let answer = false
  for (;;) {
    const { value, done } = run.next(answer)
    if (done) return { ...(value as RouteOutcome), effects }
    effects.push(value)
    answer = value.kind === 'decide' ? decide(value) : false
  }
}

const begun = (graph: RouteGraph, decide?: Decide) => carryOut(graph, new Map(), { kind: 'start' }, decide)
const statesOf = (graph: RouteGraph, state: RouteState) =>
  Object.fromEntries([...graph.nodes.keys()].map((id) => [id, nodeState(graph, state, id).state]))
const briefly = (effects: readonly RouteEffect[]) =>
  effects.filter(({ kind }) => kind !== 'decide').map(({ kind, node: id }) => `${kind} ${id}`)

describe('a run', () => {
  test('goes from the start to the first node that waits', () => {
    const graph = drawGraph([start('a'), node('a', ['stop'], task), stop])
    const { state, isDone, effects } = begun(graph)
    assert.equal(isDone, false)
    assert.deepEqual(statesOf(graph, state), { start: 'ready', a: 'suspended', stop: 'ready' })
    assert.deepEqual(briefly(effects), ['enter start', 'leave start', 'enter a', 'openTasks a'])
  })

  test('ends where nothing waits on the way', () => {
    const graph = drawGraph([start('a'), node('a', ['stop']), stop])
    const { isDone, effects } = begun(graph)
    assert.equal(isDone, true)
    assert.equal(briefly(effects).at(-1), 'finish stop')
  })

  test('runs chains in their order: input, output, then those of the transitions that are taken', () => {
    const chained = node('a', ['stop'], { inputChain: 'in', outputChain: 'out' })
    const transitions = chained.transitions.map((one) => ({ ...one, chain: 'over' }))
    const graph = drawGraph([start('a'), { ...chained, transitions }, stop])
    const chains = begun(graph).effects.flatMap((effect) => (effect.kind === 'runChain' ? effect.chain : []))
    assert.deepEqual(chains, ['in', 'out', 'over'])
  })

  test('takes all transitions that are true, and only the first where the node is exclusive', () => {
    const fork = (takesOnlyFirst: boolean) =>
      drawGraph([
        start('f'),
        node('f', ['a', 'b'], { takesOnlyFirst }),
        node('a', ['stop'], task),
        node('b', ['stop'], task),
        stop,
      ])
    assert.deepEqual(suspendedNodes(fork(false), begun(fork(false)).state), ['a', 'b'])
    assert.deepEqual(suspendedNodes(fork(true), begun(fork(true)).state), ['a'])
  })

  const forkAndMerge = (merge: 'one' | 'all') =>
    drawGraph([
      start('a', 'b'),
      node('a', ['m'], task),
      node('b', ['m'], task),
      node('m', ['c'], { merge }),
      node('c', ['stop'], task),
      stop,
    ])

  test('waits at a merge of all until the last has come', () => {
    const graph = forkAndMerge('all')
    const first = carryOut(graph, begun(graph).state, { kind: 'resume', node: 'a' })
    assert.deepEqual(statesOf(graph, first.state), {
      start: 'ready',
      a: 'ready',
      b: 'suspended',
      m: 'waiting',
      c: 'ready',
      stop: 'ready',
    })
    const forced = carryOut(graph, first.state, { kind: 'resume', node: 'm', isForced: true })
    assert.deepEqual(forced.state, first.state)
    const second = carryOut(graph, first.state, { kind: 'resume', node: 'b' })
    assert.deepEqual(suspendedNodes(graph, second.state), ['c'])
    assert.deepEqual(
      second.effects.filter(({ kind }) => kind === 'cancelWaiting'),
      [],
    )
  })

  test('goes on at a merge of one with the first, and cancels the slower ones', () => {
    const graph = forkAndMerge('one')
    const { state, effects } = carryOut(graph, begun(graph).state, { kind: 'resume', node: 'a' })
    assert.deepEqual(suspendedNodes(graph, state), ['c'])
    assert.deepEqual(
      briefly(effects).filter((one) => one.startsWith('cancel')),
      ['cancelWaiting b'],
    )
    assert.deepEqual([nodeState(graph, state, 'a').canceled, nodeState(graph, state, 'b').canceled], [1, 1])
  })

  test('comes back through a loop, also to a fork', () => {
    const graph = drawGraph([
      start('f'),
      node('f', ['a', 'b']),
      node('a', ['m'], task),
      node('b', ['m'], task),
      node('m', ['f', 'stop'], { merge: 'all', takesOnlyFirst: true }),
      stop,
    ])
    let { state } = begun(graph)
    for (const id of ['a', 'b']) ({ state } = carryOut(graph, state, { kind: 'resume', node: id }))
    assert.deepEqual(suspendedNodes(graph, state), ['a', 'b'])
    assert.equal(nodeState(graph, state, 'f').count, 2)
    const out: Decide = ({ node: id, transition }) => id !== 'm' || transition.target === 'stop'
    ;({ state } = carryOut(graph, state, { kind: 'resume', node: 'a' }, out))
    assert.equal(carryOut(graph, state, { kind: 'resume', node: 'b' }, out).isDone, true)
  })

  test('counts what was gone through before it, and ends where that is too much', () => {
    const graph = drawGraph([start('stop'), stop])
    const run = (visited: number) => {
      const steps = planRun(graph, new Map(), { kind: 'start' }, visited)
      for (;;) {
        const { value, done } = steps.next(true)
        if (done) return (value as RouteOutcome).visits
      }
    }
    assert.equal(run(98), 100)
    assert.throws(() => run(99), /Execution is looping/)
  })

  const refusals: readonly [why: string, code: string, nodes: readonly DrawnNode[], decide: Decide][] = [
    ['no transition is true', 'noWayOn', [start('stop'), stop], () => false],
    [
      'it comes round without end',
      'looping',
      [start('a'), node('a', ['b']), node('b', ['a', 'stop']), stop],
      ({ transition }) => transition.target !== 'stop',
    ],
    ['it ends while more is to do', 'endedTooSoon', [start('stop', 'a'), node('a', ['stop'], task), stop], always],
    [
      'a merge waits for what never comes',
      'neverGoingOn',
      [start('m', 'x'), node('x', ['m'], task), node('m', ['stop'], { merge: 'all' }), stop],
      ({ transition }) => transition.target === 'm',
    ],
    [
      'it comes to a node that waits',
      'nodeBusy',
      [start('a', 'b'), node('a', ['stop'], task), node('b', ['c']), node('c', ['a']), stop],
      always,
    ],
  ]
  for (const [why, code, nodes, decide] of refusals) {
    test(`is refused where ${why}`, () => {
      assert.throws(
        () => begun(drawGraph(nodes), decide),
        (error: unknown) => error instanceof Problem && error.code === code,
      )
    })
  }

  test('resumes only what waits', () => {
    const graph = drawGraph([start('a'), node('a', ['stop'], task), stop])
    for (const id of ['start', 'stop', 'nowhere']) {
      assert.throws(
        () => carryOut(graph, begun(graph).state, { kind: 'resume', node: id }),
        (error: unknown) => error instanceof Problem && error.code === 'notResumable',
      )
    }
  })

  test('is refused for none or several starts, for repeated ids and for ways that lead nowhere', () => {
    for (const nodes of [
      [stop],
      [start('stop'), node('x', ['stop'], { isStart: true }), stop],
      [start('stop'), stop, stop],
      [start('x'), stop],
    ])
      assert.throws(() => drawGraph(nodes))
  })
})

describe('whatever the model and whatever is decided', () => {
  const kinds = fc.constantFrom('pass' as const, 'task' as const, 'task' as const, 'child' as const)
  const drawn = fc.integer({ min: 1, max: 28 }).chain((inner) =>
    fc.tuple(
      fc.array(fc.integer({ min: 1, max: inner + 1 }), { minLength: 1, maxLength: 3 }),
      fc.array(
        fc.record({
          kind: kinds,
          merge: fc.constantFrom(undefined, undefined, 'one' as const, 'all' as const),
          takesOnlyFirst: fc.boolean(),
          // Forwards, and now and then back.
          targets: fc.array(fc.integer({ min: 1, max: inner + 1 }), { minLength: 1, maxLength: 3 }),
        }),
        { minLength: inner, maxLength: inner },
      ),
    ),
  )
  const models = drawn.map(([first, inner]): readonly DrawnNode[] => {
    const idOf = (index: number) => (index > inner.length ? 'stop' : `n${index}`)
    return [
      node('start', [...new Set(first.map(idOf))], { isStart: true }),
      ...inner.map(({ targets, ...more }, index) => node(idOf(index + 1), [...new Set(targets.map(idOf))], more)),
      stop,
    ]
  })

  /** The outside world: tasks that are open, rights that were given for them, and ways that were taken and not gone yet. */
  class World {
    readonly open = new Set<string>()
    readonly taken = new Map<string, number>()

    apply(graph: RouteGraph, effects: readonly RouteEffect[], decided: ReadonlySet<RouteEffect>): void {
      let found: string[] = []
      for (const effect of effects) {
        const { kind, node: id } = effect
        if (kind === 'decide' && decided.has(effect)) found.push(effect.transition.target)
        if (kind === 'enter') {
          assert.ok(!this.open.has(id), `${id} is entered while it waits`)
          assert.ok(id === graph.start || (this.taken.get(id) ?? 0) > 0, `nothing led to ${id}`)
          this.taken.delete(id)
        }
        if (kind === 'openTasks' || kind === 'openChild') {
          assert.ok(!this.open.has(id), `${id} waits twice`)
          this.open.add(id)
        }
        if (kind === 'cancelWaiting') assert.ok(this.open.delete(id), `${id} is cancelled and does not wait`)
        if (kind === 'leave') {
          this.open.delete(id)
          for (const target of found) this.taken.set(target, (this.taken.get(target) ?? 0) + 1)
          found = []
        }
      }
    }
  }

  test('it ends or waits for somebody, no token is lost or doubled, and rights are taken back', () => {
    let ended = 0
    let refused = 0
    fc.assert(
      fc.property(models, fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), (nodes, choices) => {
        const graph = drawGraph(nodes)
        const world = new World()
        let state: RouteState = new Map()
        let at = 0
        const choose = () => choices[at++ % choices.length] ?? 0
        let cause: RouteCause | undefined = { kind: 'start' }
        for (let step = 0; step < 25 && cause !== undefined; step += 1) {
          const decided = new Set<RouteEffect>()
          let outcome: ReturnType<typeof carryOut>
          try {
            outcome = carryOut(graph, state, cause, (effect) => {
              const isTrue = choose() % 3 !== 0
              if (isTrue) decided.add(effect)
              return isTrue
            })
          } catch (error) {
            // Refused as a whole: the instance is as it was, or was never begun.
            assert.ok(error instanceof Problem, String(error))
            refused += 1
            if (cause.kind === 'start') return
            const next = [...world.open]
            cause = { kind: 'resume', node: next[choose() % next.length] ?? '' }
            continue
          }
          world.apply(graph, outcome.effects, decided)
          state = outcome.state
          assert.deepEqual([...world.open].sort(), [...suspendedNodes(graph, state)].sort())
          if (outcome.isDone) {
            ended += 1
            assert.equal(world.open.size, 0)
            return
          }
          const open = [...world.open]
          assert.ok(open.length > 0, 'nobody could go on with it')
          for (const id of world.taken.keys()) {
            const { merge } = graph.nodes.get(id) ?? {}
            assert.ok(merge !== undefined, `a way to ${id} was taken and not gone`)
          }
          cause = { kind: 'resume', node: open[choose() % open.length] ?? '' }
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(ended > 20 && refused > 20, `${ended} ended, ${refused} were refused`)
  })
})
