import { directoryMistake } from '../core/directories/directories.ts'
import { findDirectoryMistake } from '../core/directories/directory-mistake.ts'
import type { Model } from '../model/model.ts'
import type { Plugin } from './define-plugin.ts'
import { pluginMistake } from './plugin-mistake.ts'

/** What a directory refers to shows only when the model and all other directories are known. @throws pluginMistake */
export function requireSoundDirectories(plugins: readonly Plugin[], model: Model): void {
  const all = new Map(plugins.flatMap(({ directories = [] }) => directories).map((one) => [one.name, one]))
  for (const { name, directories = [] } of plugins) {
    for (const directory of directories) {
      const mistake = findDirectoryMistake(directory, all, model)
      if (mistake !== undefined) throw pluginMistake({ plugin: name, reason: `directory ${directory.name} ${mistake}` })
    }
  }
}

/** What is in a data file shows only when a directory is filled. @throws pluginMistake */
export async function namingThePlugin<Result>(plugins: readonly Plugin[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!directoryMistake.is(error)) throw error
    const owner = plugins.find(({ directories = [] }) => directories.some(({ name }) => name === error.details.directory))
    throw pluginMistake({ plugin: owner?.name ?? 'unknown', reason: error.message }, { cause: error })
  }
}
