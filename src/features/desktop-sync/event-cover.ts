import { ancestorPaths } from '../../core/documents/ancestors.ts'
import type { DocumentEvent } from '../../core/session.ts'

/** What is below a document of which one of these is told comes or goes with it: clients look through a folder that comes. */
export const comesWithAll: ReadonlySet<string> = new Set(['documentCreated', 'documentImported', 'documentUntrashed'])
export const goesWithAll: ReadonlySet<string> = new Set(['documentTrashed'])

/** Tells of the events of a transaction, in their order, whether what they tell comes with what was told of a folder above. */
export function createCover(): (event: DocumentEvent) => boolean {
  const come = new Set<string>()
  const gone = new Set<string>()
  return ({ name, document: { path } }) => {
    const above = comesWithAll.has(name) ? come : goesWithAll.has(name) ? gone : undefined
    if (above === undefined || path === null) return false
    const isBelow = ancestorPaths(path).some((ancestor) => above.has(ancestor))
    above.add(path)
    return isBelow
  }
}
