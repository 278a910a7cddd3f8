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

// Reading 25,000 documents in six ways and then writing took 488 MB with V8's own choice, and 287 MB at the most with this.
const growthPercent = 30

/**
 * Has V8 collect its garbage when the heap is so much larger than after the last collection. Left to itself it lets a heap whose caches
 * come and go grow to a multiple of what is in them. For processes that live long.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}

/** Frees what was dropped right after it came: a millisecond or two. */
export function collectYoungGarbage(): void {
  collector()({ type: 'minor' })
}

/** Frees all garbage and gives its memory back to the system, for which an ordinary collection is not enough: some sixty milliseconds. */
export function collectAllGarbage(): void {
  collector()({ type: 'major', flavor: 'last-resort' })
}
