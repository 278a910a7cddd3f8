import { createFairQueue } from '../../../core/conversion/process/fair-queue.ts'

export type InTurn = <Result>(user: string, work: () => Promise<Result>) => Promise<Result>

/**
 * One look through the log at a time in a process, and users in turn: each takes slices of the time of all others, and several at once
 * as many.
 */
export function createRowTurns(): InTurn {
  const queue = createFairQueue()
  let isTaken = false
  const letNext = () => {
    const next = queue.next()
    isTaken = next !== undefined
    next?.start()
  }
  return async (user, work) => {
    const wish = { user }
    if (isTaken) await new Promise<void>((start, refuse) => queue.add({ wish, start, refuse }))
    else queue.place(wish)
    isTaken = true
    try {
      return await work()
    } finally {
      queue.leave(wish)
      letNext()
    }
  }
}
