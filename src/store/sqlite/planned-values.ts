import { createCache } from '../../base/cache/bounded-cache.ts'
import type { SqlStatement } from '../sql/connection.ts'

// As many as a connection keeps prepared.
const maxTexts = 1_000

export type BoundStatement = Pick<SqlStatement, 'sql' | 'values'>

/** A text of SQL, taken apart where values stand that the planner looks at. */
interface PlannedText {
  /** One more than there are such values. */
  readonly parts: readonly string[]
  /** The places of these among all values, ascending. */
  readonly places: readonly number[]
}

/**
 * SQLite looks at some values when it plans a statement: at a limit, and at what is compared with a column that a partial index compares
 * with a constant. Once such a value is bound anew it throws the plan away and makes it again, which takes longer than most statements
 * themselves: 160 of the 200 µs of a search that finds two documents. So these values are written into the text, which is then planned
 * once for each of them.
 */
export function createValuePlanning(): (statement: SqlStatement) => BoundStatement {
  // Nothing invalidates what a text is made of.
  const known = createCache<string, PlannedText>({ maxEntries: maxTexts })
  const takenApart = (text: string): PlannedText => {
    const before = known.get(text)
    if (before !== undefined) return before
    const planned = takeApart(text)
    known.set(text, planned)
    return planned
  }

  return ({ sql, values }) => {
    const { parts, places } = takenApart(sql)
    if (places.length === 0 || !places.every((place) => Number.isSafeInteger(values[place]))) return { sql, values }
    let text = parts[0] as string
    for (const [index, place] of places.entries()) text += `${values[place]}${parts[index + 1]}`
    return { sql: text, values: values.filter((_, place) => !places.includes(place)) }
  }
}

// Texts and names are passed over, whatever they hold.
const placesOfValues = /'[^']*'|"[^"]*"|\?/g

const beforePlanned = /(?:\bLIMIT|\bis_proxy =|\bhas_legal_hold =)\s*$/

function takeApart(text: string): PlannedText {
  const parts: string[] = []
  const places: number[] = []
  let count = 0
  let end = 0
  for (const { 0: found, index } of text.matchAll(placesOfValues)) {
    if (found !== '?') continue
    if (beforePlanned.test(text.slice(0, index))) {
      parts.push(text.slice(end, index))
      places.push(count)
      end = index + 1
    }
    count += 1
  }
  return { parts: [...parts, text.slice(end)], places }
}
