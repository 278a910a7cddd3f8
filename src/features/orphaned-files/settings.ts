import type { CollectionRules } from '../../core/blob-gc/collect-blobs.ts'
import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'

export const collectionSettings = defineSettings({
  blobGcHour: {
    type: 'integer',
    default: 3,
    min: -1,
    max: 23,
    help: 'Hour of the night, in the time of the server, in which files that nobody needs are removed; -1 is never',
  },
  blobGcGrace: {
    type: 'duration',
    default: '1h',
    max: '1d',
    help: 'Time for which a file that nobody refers to is kept, longer than any request takes',
  },
  blobGcMaxShare: {
    type: 'integer',
    default: 50,
    min: 0,
    max: 100,
    help: 'Percentage of all files above which a collection removes none and asks, as the database may be the wrong one',
  },
})

export type CollectionValues = SettingValues<typeof collectionSettings>

export function collectionRulesOf({ blobGcGrace, blobGcMaxShare }: CollectionValues): CollectionRules {
  return { graceMillis: blobGcGrace, maxShare: blobGcMaxShare }
}
