import { type BlobFlaw, checkBlob } from '../../../core/blob-check/check-blobs.ts'
import type { MaintenanceTask } from '../maintenance-task.ts'
import { countFiles, everyFile, type FilePlace } from './every-file.ts'

type Checked = {
  readonly place: FilePlace
  readonly files: number
  readonly bytes: number
  readonly flawed: number
  /** The first of them. */
  readonly flaws: readonly { readonly [name in keyof BlobFlaw]: string | null }[]
}

const mostTold = 50

/** What `quire check` does: every file is read and compared with what its documents say. */
export const checkFiles: MaintenanceTask<Checked> = {
  name: 'checkFiles',
  begin: async (services) => ({
    done: 0,
    total: await countFiles(services),
    state: { place: null, files: 0, bytes: 0, flawed: 0, flaws: [] },
  }),
  async turn(services, { done, total, state }, { isTimeUp }) {
    let checked = state
    for await (const { repository, uses, place } of everyFile(services, state.place)) {
      const { length, flaws } = await checkBlob(repository, uses)
      checked = {
        place,
        files: checked.files + 1,
        bytes: checked.bytes + (length ?? 0),
        flawed: checked.flawed + flaws.length,
        flaws: [...checked.flaws, ...flaws.map((flaw) => ({ ...flaw }))].slice(0, mostTold),
      }
      if (isTimeUp()) return { done: done + checked.files - state.files, total, state: checked, isOver: false }
    }
    return { done: done + checked.files - state.files, total, state: checked, isOver: true }
  },
  outcome: ({ files, bytes, flawed, flaws }) => ({ files, bytes, flawed, flaws }),
}
