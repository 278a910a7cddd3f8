import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { defineProblem } from '../base/problem.ts'

export const dataFolderUnusable = defineProblem(
  'dataFolderUnusable',
  'unavailable',
  (folder: { path: string; reason: string }) =>
    `cannot write to the data folder ${folder.path} (${folder.reason}): choose another with --data`,
)

/** Makes the folder if it is missing, for this user alone: it holds everyone's documents. */
export async function prepareDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw dataFolderUnusable({ path: resolve(path), reason }, { cause: error })
  }
}
