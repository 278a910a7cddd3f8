import { defineProblem } from '../../base/problem.ts'
import type { Page } from '../../core/search/page/page.ts'

/** A search that cannot be run. Its page says why; where that is all there would be to answer with, it is an error. */
export const failedSearch = defineProblem('failedSearch', 'invalid', (of: { reason: string }) => of.reason)

/** The page that was found. @throws failedSearch */
export function requireFound<Found extends { readonly page: Page }>(found: Found): Found {
  const { error } = found.page
  if (error !== null) throw failedSearch({ reason: error })
  return found
}
