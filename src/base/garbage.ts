import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { once } from './cache/memo.ts'

interface Collection {
  readonly type: 'minor' | 'major'
  readonly flavor?: 'regular' | 'last-resort'
}

type Collect = (collection: Collection) => void

/** V8 hands it only to what begins after the flag is set; the flag changes nothing else. */
const collector = once((): Collect => {
  setFlagsFromString('--expose-gc')
  return (runInNewContext('globalThis.gc') as Collect | undefined) ?? (() => {})
})

/** Frees what was dropped right after it came: a millisecond or two. */
export function collectYoungGarbage(): void {
  collector()({ type: 'minor' })
}

/** Frees all garbage and gives its memory back to the system, for which an ordinary collection is not enough: some sixty milliseconds. */
export function collectAllGarbage(): void {
  collector()({ type: 'major', flavor: 'last-resort' })
}
