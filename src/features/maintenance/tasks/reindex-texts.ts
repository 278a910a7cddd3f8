import { rereadFile } from '../../../core/file-texts/read-file-texts.ts'
import { blobDamaged, blobMissing } from '../../../store/blobs/blob-store.ts'
import type { MaintenanceTask } from '../maintenance-task.ts'
import { countFiles, everyFile, type FilePlace } from './every-file.ts'

type Reread = {
  readonly place: FilePlace
  readonly read: number
  readonly unread: number
  /** How many could not be read, by why. */
  readonly reasons: { readonly [reason: string]: number }
}

const mostReasons = 50

/** What `quire reindex --texts` does: every file is read anew, so that full text finds documents by what is in it. */
export const reindexTexts: MaintenanceTask<Reread> = {
  name: 'reindexTexts',
  begin: async (services) => ({
    done: 0,
    total: await countFiles(services),
    state: { place: null, read: 0, unread: 0, reasons: {} },
  }),
  async turn(services, { done, total, state }, { isTimeUp }) {
    let [reread, files] = [state, done]
    for await (const { repository, uses, place } of everyFile(services, state.place)) {
      try {
        for await (const { reason } of rereadFile(repository, uses, services.fileTexts)) reread = counted(reread, reason)
      } catch (error) {
        // One file that is lost keeps no other from being found; what was read of it before stays.
        if (!blobMissing.is(error) && !blobDamaged.is(error)) throw error
        reread = counted(reread, 'The file is missing or damaged.')
      }
      reread = { ...reread, place }
      files += 1
      if (isTimeUp()) return { done: files, total, state: reread, isOver: false }
    }
    return { done: files, total, state: reread, isOver: true }
  },
  outcome: ({ read, unread, reasons }) => ({ read, unread, reasons }),
}

function counted(reread: Reread, reason: string | undefined): Reread {
  const read = reread.read + 1
  if (reason === undefined) return { ...reread, read }
  const isTold = reason in reread.reasons || Object.keys(reread.reasons).length < mostReasons
  const reasons = isTold ? { ...reread.reasons, [reason]: (reread.reasons[reason] ?? 0) + 1 } : reread.reasons
  return { ...reread, read, unread: reread.unread + 1, reasons }
}
