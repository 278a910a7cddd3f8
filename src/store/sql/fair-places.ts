import type { Deadline } from './transact.ts'

/** A number of places that people share: whoever wants many of them waits behind those who want one. */
export interface FairPlaces {
  /** Resolves with the function that gives the place back. Those who are nobody in particular have no bound of their own. */
  take(owner: string | undefined, deadline: Deadline): Promise<() => void>
  /** How many have not been let in yet. */
  readonly waiting: number
}

type Name = string | typeof nobody

interface Owner {
  readonly name: Name
  readonly waiting: (() => void)[]
  placed: number
  /** When they were last let in, counted from the first on. */
  lastTurn: number
}

const nobody = Symbol('nobody')

/** @param perOwner how many places somebody may have at the same time; 0: all */
export function createFairPlaces(places: number, perOwner = 0): FairPlaces {
  const owners = new Map<Name, Owner>()
  let free = places
  let waiting = 0
  let turns = 0

  function ownerOf(name: Name): Owner {
    const owner = owners.get(name) ?? { name, waiting: [], placed: 0, lastTurn: 0 }
    owners.set(name, owner)
    return owner
  }

  function forgetIfDone({ name, placed, waiting: own }: Owner): void {
    if (placed === 0 && own.length === 0) owners.delete(name)
  }

  function mayHaveMore({ name, placed }: Owner): boolean {
    return perOwner === 0 || name === nobody || placed < perOwner
  }

  function place(owner: Owner): void {
    free -= 1
    turns += 1
    owner.placed += 1
    owner.lastTurn = turns
  }

  /** Of those who wait, the one whose turn was the longest ago. */
  function letNextIn(): void {
    const [next] = [...owners.values()]
      .filter((owner) => owner.waiting.length > 0 && mayHaveMore(owner))
      .sort((one, other) => one.lastTurn - other.lastTurn)
    if (next === undefined) return
    place(next)
    waiting -= 1
    next.waiting.shift()?.()
  }

  function giveBack(owner: Owner): void {
    owner.placed -= 1
    free += 1
    letNextIn()
    forgetIfDone(owner)
  }

  function giveUp(owner: Owner, resolve: () => void): void {
    const index = owner.waiting.indexOf(resolve)
    // They were let in at the same moment.
    if (index === -1) giveBack(owner)
    else {
      owner.waiting.splice(index, 1)
      waiting -= 1
      forgetIfDone(owner)
    }
  }

  return {
    get waiting() {
      return waiting
    },
    async take(name, deadline) {
      const owner = ownerOf(name ?? nobody)
      // Nobody who waits may have it: they would have been let in.
      if (free > 0 && mayHaveMore(owner)) place(owner)
      else {
        const { promise: granted, resolve } = Promise.withResolvers<void>()
        owner.waiting.push(resolve)
        waiting += 1
        await deadline.race(granted).catch((error: unknown) => {
          giveUp(owner, resolve)
          throw error
        })
      }
      return () => giveBack(owner)
    },
  }
}
