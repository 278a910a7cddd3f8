import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Whether `dist/` holds what the sources say. An installed package has no sources. A checkout has both: the bundle starts in half the
 * time and with a quarter less memory, and from the first change of a source until it is built anew the sources run as they are.
 * @param {string} root the folder of the package
 */
export function isBundleCurrent(root) {
  const built = changedAt(join(root, 'dist/quire.js'))
  const sources = join(root, 'src')
  if (changedAt(sources) === undefined) return true
  return built !== undefined && isOlder(built, join(root, 'package.json')) && isFolderOlder(built, sources)
}

/**
 * Whether a process runs the bundle. A worker runs what the process runs that has started it, which has looked at all sources: a look
 * takes 15 ms of a start. The first worker is started before that and told later. Nobody else is believed, and where the bundle is
 * gone the worker looks for itself.
 * @param {string} root the folder of the package
 * @param {Pick<NodeJS.Process, 'pid' | 'ppid' | 'env' | 'once'>} process which tells those that it starts in turn
 */
export async function runsBundle(root, process) {
  const { pid, ppid, env } = process
  const told = toldBy(ppid, env.BUNDLED_QUIRE)
  const word = told === 'later' ? toldBy(ppid, await hear(process)) : told
  const isTold = word === 'no' || (word === 'yes' && changedAt(join(root, 'dist/quire.js')) !== undefined)
  const isBundled = isTold ? word === 'yes' : isBundleCurrent(root)
  env.BUNDLED_QUIRE = `${pid} ${isBundled ? 'yes' : 'no'}`
  return isBundled
}

/** @param {number} starter @param {string} [word] */
function toldBy(starter, word = '') {
  const [by, told] = word.split(' ')
  return by === String(starter) ? told : undefined
}

/** What the process that forked this one has to say (`worker-process.js`). @param {Pick<NodeJS.Process, 'once'>} process */
function hear(process) {
  return new Promise((/** @type {(word: string) => void} */ resolve) => {
    process.once('message', (/** @type {any} */ { word }) => resolve(word))
  })
}

/**
 * Looks at all files but the unit tests, and at the folders, which tell that a file was removed.
 * @param {number} time @param {string} folder @returns {boolean}
 */
function isFolderOlder(time, folder) {
  if (!isOlder(time, folder)) return false
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? isFolderOlder(time, path) : entry.name.endsWith('.test.ts') || isOlder(time, path)
  })
}

/** @param {number} time @param {string} path */
function isOlder(time, path) {
  return (changedAt(path) ?? 0) < time
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
