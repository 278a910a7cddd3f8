import { refuseCharacter } from './illegal-character.ts'
import type { Hint } from './tree.ts'

const opening = /\/\*\+\s*ES:/iy

const identifier = String.raw`\s*[\w$:.^/@-]+\s*`
const wholeHint = new RegExp(
  [
    opening.source,
    String.raw`(?:\s*INDEX\s*\((${identifier}(?:,${identifier})*)\))?`,
    String.raw`(?:\s*ANALYZER\s*\((${identifier})\))?`,
    String.raw`(?:\s*OPERATOR\s*\((${identifier})\))?`,
    String.raw`\s*\*\/`,
  ].join(''),
  'iy',
)

/** Whether a hint begins here. Any other comment is none: NXQL has no comments. */
export function isHint(text: string, offset: number): boolean {
  opening.lastIndex = offset
  return opening.test(text)
}

/** @throws illegalCharacter when what follows is not INDEX, ANALYZER and OPERATOR in this order, each at most once. */
export function scanHint(text: string, offset: number): { readonly hint: Hint; readonly end: number } {
  wholeHint.lastIndex = offset
  const found = wholeHint.exec(text)
  if (found === null) throw refuseCharacter(text, offset)
  const [, fields, analyzer, operator] = found
  const hint = {
    fields: fields?.split(',').map((field) => field.trim()) ?? [],
    ...(analyzer !== undefined && { analyzer: analyzer.trim() }),
    ...(operator !== undefined && { operator: operator.trim() }),
  }
  return { hint, end: wholeHint.lastIndex }
}
