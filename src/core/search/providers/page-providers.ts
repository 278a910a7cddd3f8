import { defineProblem } from '../../../base/problem.ts'
import type { PageProvider } from './page-provider.ts'

export const unknownPageProvider = defineProblem(
  'unknownPageProvider',
  'notFound',
  (of: { name: string }) => `Could not resolve page provider with name '${of.name}'`,
)

/** The searches that clients run by name. */
export interface PageProviders {
  find(name: string): PageProvider | undefined
  /** @throws unknownPageProvider */
  read(name: string): PageProvider
  list(): readonly PageProvider[]
}

/** A later definition replaces an earlier one of the same name, and one that is not enabled removes it. */
export function createPageProviders(definitions: readonly PageProvider[]): PageProviders {
  const byName = new Map<string, PageProvider>()
  for (const definition of definitions) {
    if (definition.enabled === false) byName.delete(definition.name)
    else byName.set(definition.name, written(definition))
  }
  const find = (name: string) => byName.get(name)
  return {
    find,
    read(name) {
      const found = find(name)
      if (found === undefined) throw unknownPageProvider({ name })
      return found
    },
    list: () => [...byName.values()],
  }
}

function written(provider: PageProvider): PageProvider {
  const { pattern, whereClause } = provider
  const fixedPart = whereClause?.fixedPart
  return {
    ...provider,
    ...(pattern !== undefined && { pattern: inOneLine(pattern) }),
    ...(whereClause && fixedPart !== undefined && { whereClause: { ...whereClause, fixedPart: inOneLine(fixedPart) } }),
  }
}

/** Line breaks and indentation are for the author of a pattern. */
export function inOneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ')
}
