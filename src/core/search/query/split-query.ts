import { memoisedByText } from '../../../base/cache/memo.ts'

/** The clauses of a query's text. */
export interface QueryText {
  /** `SELECT … FROM …`. */
  readonly head: string
  readonly condition?: string
  readonly order?: string
  /** `LIMIT …`. */
  readonly tail?: string
}

// What is never closed goes on to the end: looking for its end at every beginning would take the square of the length.
const clauseWords =
  /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|\/\*\+.*?(?:\*\/|$)|(?<![\w$:./-])(?:(where)|(order\s+by)|(limit))(?![\w$:./-])/gis

// Longer ones come from those who list ids, and hardly twice.
const longestCached = 2_000

const splitCached = memoisedByText(split, { maxEntries: 500 })

/** Finds the clauses without reading them: what is wrong in one is for the compiler to say. */
export function splitQuery(text: string): QueryText {
  return text.length > longestCached ? split(text) : splitCached(text)
}

function split(text: string): QueryText {
  const starts: { clause: 'condition' | 'order' | 'tail'; from: number; content: number }[] = []
  for (const { 0: word, 1: where, 2: order, 3: limit, index } of text.matchAll(clauseWords)) {
    const clause = where ? 'condition' : order ? 'order' : limit ? 'tail' : undefined
    if (clause === undefined || starts.some((start) => start.clause === clause)) continue
    starts.push({ clause, from: index, content: clause === 'tail' ? index : index + word.length })
  }
  const clauses = starts.map(({ clause, content }, index) => [clause, text.slice(content, starts[index + 1]?.from).trim()])
  return { head: text.slice(0, starts[0]?.from).trim(), ...Object.fromEntries(clauses) }
}

export function joinQuery({ head, condition, order, tail }: QueryText): string {
  const clauses = [head, condition && `WHERE ${condition}`, order && `ORDER BY ${order}`, tail]
  return clauses.filter(Boolean).join(' ')
}

/** The query with further conditions. Each keeps its meaning among the others, whatever it is made of. */
export function addConditions(query: string, conditions: readonly string[]): string {
  if (conditions.length === 0) return query
  const written = splitQuery(query)
  const all = [...(written.condition === undefined ? [] : [written.condition]), ...conditions]
  return joinQuery({ ...written, condition: allOf(all) })
}

export function allOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? conditions.join('') : conditions.map((condition) => `(${condition})`).join(' AND ')
}
