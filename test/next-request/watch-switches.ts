import { createRandom } from '../faults/kill/random.ts'
import type { Line } from '../fresh-answers/line.ts'
import { createRegister, type Register } from './register.ts'
import { makeSwitches, observer, type Switch } from './switches.ts'

export interface Watched {
  readonly turns: number
  readonly looks: number
  /** Looks of one kind that never saw both states, and so told nothing. */
  readonly idle: readonly string[]
  /** What was seen that was over when the request was sent, or had not been asked for when it was answered. */
  readonly untrue: readonly string[]
  /** Searches that showed a document which is not as it was sought. */
  readonly stray: readonly string[]
}

export interface WatchOptions {
  /** For each switch. */
  readonly turns: number
  readonly seed: number
}

interface Watch {
  readonly one: Switch
  readonly register: Register<boolean>
}

/**
 * Switches things on and off while others look at them without a pause, over all lines: whatever a look tells has to have been so at some
 * moment between its request and its answer.
 * @param looking lines of which each has one who looks
 */
export async function watchSwitches(
  turning: readonly Line[],
  looking: readonly Line[],
  { turns, seed }: WatchOptions,
): Promise<Watched> {
  const [first] = turning as [Line]
  const administrator = (path: string, body: object) =>
    first.call('Administrator', { method: 'POST', path, body: JSON.stringify(body) })
  const properties = { username: observer, password: observer, groups: ['members'] }
  await administrator('/user', { 'entity-type': 'user', id: observer, properties })
  await administrator('/group', { 'entity-type': 'group', id: 'crew', memberUsers: [observer] })
  const watches = (await makeSwitches(first)).map((one): Watch => ({ one, register: createRegister(false) }))
  const untrue: string[] = []
  const stray: string[] = []
  const seenStates = new Set<string>()
  let looks = 0
  let isOver = false

  async function look(line: Line, ownSeed: number): Promise<void> {
    const random = createRandom(ownSeed)
    while (!isOver) {
      const { one, register } = random.pick(watches) as Watch
      const chosen = random.pick(one.looks) as Switch['looks'][number]
      const begunAt = performance.now()
      const { states, isFitting } = await chosen.see(line)
      const endedAt = performance.now()
      looks += 1
      if (!isFitting) stray.push(`${one.name} ${chosen.name}`)
      for (const [part, state] of states.entries()) {
        seenStates.add(`${one.name} ${chosen.name} ${state}`)
        if (register.mayBeSeen(state, begunAt, endedAt)) continue
        untrue.push(
          `${one.name} ${chosen.name}, part ${part}: ${state ? 'on' : 'off'} in a look of ${(endedAt - begunAt).toFixed(1)} ms`,
        )
      }
    }
  }
  async function turnAll({ one, register }: Watch, ownSeed: number): Promise<void> {
    const random = createRandom(ownSeed)
    for (let turn = 1; turn <= turns; turn++) {
      const isOn = turn % 2 === 1
      await register.set(isOn, () => one.turn(random.pick(turning) as Line, isOn))
    }
  }
  const lookers = looking.map((line, index) => look(line, seed + index))
  try {
    await Promise.all(watches.map((watch, index) => turnAll(watch, seed + 1_000 + index)))
  } finally {
    isOver = true
    await Promise.all(lookers)
  }
  const names = watches.flatMap(({ one }) => one.looks.map((each) => `${one.name} ${each.name}`))
  const idle = names.filter((name) => ![true, false].every((state) => seenStates.has(`${name} ${state}`)))
  return { turns: turns * watches.length, looks, idle, untrue, stray }
}
