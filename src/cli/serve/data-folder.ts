import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Log } from '../../base/log.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { defineProblem } from '../../base/problem.ts'

export const dataFolderUnusable = defineProblem(
  'dataFolderUnusable',
  'unavailable',
  (folder: { path: string; reason: string }) =>
    `cannot write to the data folder ${folder.path} (${folder.reason}): choose another with --data`,
)

const everybodyElse = 0o077

/** Makes the folder if it is missing, for this user alone: it holds everyone's documents. One that is there is left as it is. */
export async function prepareDataFolder(path: string, log: Log): Promise<void> {
  try {
    await makeFolder(path)
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const mode = (await stat(path)).mode & 0o777
    if ((mode & everybodyElse) !== 0 && process.platform !== 'win32') {
      log.warn(
        { event: 'data.folderOpenToOthers', folder: resolve(path), mode: mode.toString(8) },
        'others than the owner may look into the data folder: chmod 700 closes it',
      )
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw dataFolderUnusable({ path: resolve(path), reason }, { cause: error })
  }
}
