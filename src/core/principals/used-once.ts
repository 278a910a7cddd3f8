import { hash } from 'node:crypto'
import { isoDate } from '../../base/iso-date.ts'
import type { Store } from '../../store/store.ts'

/**
 * Takes note that a proof of identity was used, for as long as it would be valid; false when it was before, in whichever process of
 * whichever server. A write: who signs each request anew pays it with each.
 */
export function useOnce(store: Store, kind: string, proof: readonly string[], untilMillis: number): Promise<boolean> {
  // As a digest: parts are of any length and may be secrets. JSON keeps them apart.
  const key = `usedOnce/${kind}/${hash('sha256', JSON.stringify(proof))}`
  // A proof of which the clock says that it is over now is still one that was used.
  const until = isoDate(new Date(Math.max(untilMillis, Date.now()) + marginMillis))
  return store.transact((tx) => tx.transient.add(key, true, until, isoDate(new Date())))
}

/** By so much clocks of several servers may differ. */
const marginMillis = 60_000
