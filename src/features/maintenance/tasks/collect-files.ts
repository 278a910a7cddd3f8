import {
  added,
  beginSweep,
  type CollectionCounts,
  nothingCounted,
  requireUsualShare,
  tallyIn,
} from '../../../core/blob-gc/collect-blobs.ts'
import type { Services } from '../../../rest/services.ts'
import { collectionRulesOf, collectionSettings } from '../../orphaned-files/index.ts'
import type { MaintenanceTask } from '../maintenance-task.ts'

type Collected = {
  readonly slice: number
  readonly removes: boolean
  readonly counted: { readonly [name in keyof CollectionCounts]: number }
}

/** How the keys of files begin. */
const slices = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const nothing = { ...nothingCounted }

/** What `quire gc` does: files are counted first, and those that nobody needs removed unless they are too many. */
export const collectFiles: MaintenanceTask<Collected> = {
  name: 'collectFiles',
  begin: async () => ({ done: 0, total: slices.length * 2, state: { slice: 0, removes: false, counted: nothing } }),
  async turn(services, { total, state }, { isTimeUp }) {
    const { graceMillis, maxShare } = rulesOf(services)
    let { slice, removes, counted } = state
    let sweep = await beginSweep(services.repositories, { graceMillis, dryRun: !removes })
    for (;;) {
      counted = { ...added(counted, await sweep(slices[slice] ?? '')) }
      slice += 1
      const isEnd = slice === slices.length
      if (isEnd && !removes) {
        requireUsualShare(counted, maxShare)
        ;[slice, removes, counted] = [0, true, nothing]
        sweep = await beginSweep(services.repositories, { graceMillis })
      }
      const done = slice + (removes ? slices.length : 0)
      if ((isEnd && done === total) || isTimeUp())
        return { done, total, state: { slice, removes, counted }, isOver: done === total }
    }
  },
  outcome: ({ counted }) => ({ ...tallyIn(counted) }),
}

function rulesOf(services: Services) {
  return collectionRulesOf(services.valuesOf(collectionSettings))
}
