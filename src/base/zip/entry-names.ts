import { plainFileName } from '../plain-file-name.ts'
import { shortFileName } from '../short-file-name.ts'

/**
 * Gives each file of an archive the name under which it is in there: without folders, none twice, and short enough for the file
 * system that it is unpacked to. An archive itself takes no more than 65,535 bytes.
 */
export function createEntryNames(): (name: string | null) => string {
  const taken = new Set<string>()
  let renamed = 0
  let nameless = 0
  return (name) => {
    const wanted = shortFileName(plainFileName(name ?? '')) || `Unknown_${++nameless}`
    let free = wanted
    while (taken.has(free)) free = shortFileName(`renamed_${++renamed}_${wanted}`)
    taken.add(free)
    return free
  }
}

/** A path inside an archive. Names of documents have no slash in them, but perhaps what leads elsewhere on other systems. */
export function entryPath(names: readonly string[]): string {
  return names
    .map(segmentOf)
    .join('/')
    .replace(/^([a-z]):/i, '$1%3A')
}

function segmentOf(name: string): string {
  const safe = name.replaceAll('\\', '%5C').toWellFormed()
  return safe === '.' || safe === '..' ? safe.replaceAll('.', '%2E') : safe
}
