import { registerHooks } from 'node:module'
import { extname } from 'node:path'
import { once } from './base/cache/memo.ts'

// Beside this file in the sources, and in the bundle that is installed.
const fileOf = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href
const ownModules: ReadonlyMap<string, string> = new Map([
  ['quire', fileOf('index')],
  ['quire/testing', fileOf('testing')],
])

/**
 * From now on every import of `quire` gives the modules of the program that runs, whether or not a package is installed beside
 * them: a plugin in a folder of its own finds them, and none gets a second copy whose problems and types are not ours. Tells
 * which they are.
 */
export const shareOwnModules = once((): ReadonlyMap<string, string> => {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = ownModules.get(specifier)
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true }
    },
  })
  return ownModules
})
