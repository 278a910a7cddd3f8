/** A query taken apart, so that what is not needed to fail can be left out. */
export interface QueryParts {
  readonly select: string
  readonly from: string
  readonly where?: Clause
  readonly order: readonly string[]
  readonly limit?: number
  readonly offset?: number
}

export type Clause =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Clause[] }
  | { readonly kind: 'not'; readonly operand: Clause }

export function textOf({ select, from, where, order, limit, offset }: QueryParts): string {
  return [
    `SELECT ${select} FROM ${from}`,
    ...(where === undefined ? [] : [`WHERE ${clauseText(where)}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
    ...(limit === undefined || offset === undefined ? [] : [`OFFSET ${offset}`]),
  ].join(' ')
}

function clauseText(clause: Clause): string {
  switch (clause.kind) {
    case 'leaf':
      return clause.text
    case 'not':
      return `NOT (${clauseText(clause.operand)})`
    default:
      return clause.operands.map((operand) => `(${clauseText(operand)})`).join(clause.kind === 'and' ? ' AND ' : ' OR ')
  }
}

/** Queries that are a little simpler, the simplest first. */
export function* simpler(query: QueryParts): Generator<QueryParts> {
  const { where, order, limit: _limit, offset: _offset, ...rest } = query
  const ordered = { ...rest, order }
  if (query.limit !== undefined) yield { ...ordered, ...(where && { where }) }
  if (order.length > 0) yield { ...query, order: order.slice(1) }
  if (order.length > 1) yield { ...query, order: order.slice(0, -1) }
  if (where === undefined) return
  yield ordered
  for (const clause of simplerClauses(where)) yield { ...query, where: clause }
}

function* simplerClauses(clause: Clause): Generator<Clause> {
  if (clause.kind === 'leaf') return
  if (clause.kind === 'not') {
    yield clause.operand
    for (const operand of simplerClauses(clause.operand)) yield { kind: 'not', operand }
    return
  }
  const { kind, operands } = clause
  yield* operands
  if (operands.length > 2) for (const [index] of operands.entries()) yield { kind, operands: operands.toSpliced(index, 1) }
  for (const [index, operand] of operands.entries()) {
    for (const other of simplerClauses(operand)) yield { kind, operands: operands.toSpliced(index, 1, other) }
  }
}
