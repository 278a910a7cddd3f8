import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Late enough for the first requests of whoever waited for the start to pass before the pause of some 60 ms.
const quietMilliseconds = 500

type CollectGarbage = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives the system back what loading the server left behind: some 30 MB that V8 would keep for a heap which an idle server
 * never fills again. An ordinary collection frees them inside the heap only; the one of last resort shrinks it.
 */
export function giveBackStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect: CollectGarbage = runInNewContext('gc')
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, quietMilliseconds).unref()
}
