import { collectAllGarbage } from '../base/garbage.ts'

// Late enough for the first requests of whoever waited for the start to pass before the pause of some 60 ms.
const quietMilliseconds = 500

/**
 * Gives the system back what loading the server left behind: some 30 MB that V8 would keep for a heap which an idle server
 * never fills again.
 */
export function giveBackStartMemory(): void {
  setTimeout(collectAllGarbage, quietMilliseconds).unref()
}
