import { setImmediate as message } from 'node:timers/promises'
import type { Store } from '../../src/store/store.ts'

/**
 * Two stores on one database as one: transactions run in both by turns, and all is read in one of them, which so has to notice what the
 * other has committed. Between a commit and what follows it lies a round of the event loop, as an answer to a client takes at least.
 */
export function asTwoProcesses(reading: Store, other: Store): Store {
  let transactions = 0
  return {
    ...reading,
    async transact(body, options) {
      transactions += 1
      const result = await (transactions % 3 === 0 ? reading : other).transact(body, options)
      await message()
      return result
    },
    async close() {
      await other.close()
      await reading.close()
    },
  }
}
