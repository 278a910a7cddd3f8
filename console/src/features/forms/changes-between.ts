/** Values by xpath. */
export type Values = { readonly [xpath: string]: unknown }

/** What was changed from one to the other, as the server takes it. An empty text is no text. */
export function changesBetween(before: Values, after: Values): Values {
  const changed = Object.keys(after).filter((xpath) => !isSame(orNothing(before[xpath]), orNothing(after[xpath])))
  return Object.fromEntries(changed.map((xpath) => [xpath, orNothing(after[xpath])]))
}

/** What both have changed, each in a way of their own. */
export function conflictsBetween(base: Values, mine: Values, theirs: Values): readonly string[] {
  const others = changesBetween(base, theirs)
  return Object.keys(changesBetween(base, mine)).filter(
    (xpath) => xpath in others && !isSame(orNothing(mine[xpath]), orNothing(theirs[xpath])),
  )
}

function orNothing(value: unknown): unknown {
  return value === undefined || value === '' ? null : value
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
