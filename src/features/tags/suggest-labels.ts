import { scopeOf } from '../../core/search/page/run-query.ts'
import type { Session } from '../../core/session.ts'
import { listName } from '../../nxql/document-indexing.ts'
import { matchesLike, parseLike } from '../../nxql/like-pattern.ts'
import { cleanTerm, type LabelRules } from './tag-label.ts'
import { tagsProperty } from './tag-model.ts'

const maxSuggested = 10
// With a % inside the term most of what begins like it may be something else.
const lookedAtOnce = 200

/**
 * Tags that begin like the term, in order, of documents that the caller can see: whatever else there is of tags would tell of what is hidden.
 */
export async function suggestLabels(session: Session, searchTerm: string, rules: LabelRules): Promise<readonly string[]> {
  const term = cleanTerm(searchTerm, rules)
  if (term.trim() === '') return []
  const [prefix = '', ...more] = term.split('%')
  const pattern = parseLike(`${term.replaceAll(/[\\_]/g, '\\$&')}%`, { ignoresCase: false })
  const scope = await scopeOf(session)
  const found: string[] = []
  const limit = more.length === 0 ? maxSuggested : lookedAtOnce
  for (let after: string | undefined; ; ) {
    const window = { name: listName(tagsProperty, 'label'), prefix, limit, ...(after !== undefined && { after }) }
    const labels = await session.reader.search.listItems(window, scope)
    found.push(...labels.filter((label) => matchesLike(pattern, label)))
    if (labels.length < limit || found.length >= maxSuggested) return found.slice(0, maxSuggested)
    after = labels.at(-1)
  }
}
