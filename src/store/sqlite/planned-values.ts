import type { SqlStatement } from '../sql/connection.ts'

/** A text of SQL, taken apart where values stand that the planner looks at. */
export interface PlannedText {
  /** One more than there are such values. */
  readonly parts: readonly string[]
  /** The places of these among all values, ascending. */
  readonly places: readonly number[]
}

export type BoundStatement = Pick<SqlStatement, 'sql' | 'values'>

// Texts and names are passed over, whatever they hold.
const placesOfValues = /'[^']*'|"[^"]*"|\?/g

const beforePlanned = /(?:\bLIMIT|\bis_proxy =|\bhas_legal_hold =)\s*$/

/**
 * SQLite looks at some values when it plans a statement: at a limit, and at what is compared with a column that a partial index compares
 * with a constant. Once such a value is bound anew it throws the plan away and makes it again, which takes longer than most statements
 * themselves: 160 of the 200 µs of a search that finds two documents. So these values are written into the text, which is then planned
 * once for each of them.
 */
export function findPlanned(text: string): PlannedText | undefined {
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
  return places.length === 0 ? undefined : { parts: [...parts, text.slice(end)], places }
}

/** Undefined where one of these values is not a number that can stand in a text. */
export function fillPlanned({ parts, places }: PlannedText, values: BoundStatement['values']): BoundStatement | undefined {
  let sql = parts[0] as string
  for (const [index, place] of places.entries()) {
    if (!Number.isSafeInteger(values[place])) return undefined
    sql += `${values[place]}${parts[index + 1]}`
  }
  return { sql, values: values.filter((_, place) => !places.includes(place)) }
}
