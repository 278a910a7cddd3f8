import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/page-provider.ts'

export const givesNoDocuments = defineProblem(
  'givesNoDocuments',
  'invalid',
  (of: { name: string }) =>
    `Page provider '${of.name}' gives rows, not documents. Run it with an operation that answers with rows.`,
)

/**
 * Providers of rows may look at documents that the caller cannot browse and select no more of them than anybody may know; their
 * documents as a whole are nobody's to see. @throws givesNoDocuments
 */
export function requireDocumentProvider(provider: PageProvider): PageProvider {
  if (provider.kind === 'rows') throw givesNoDocuments({ name: provider.name })
  return provider
}
