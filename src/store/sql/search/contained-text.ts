import sql, { raw, type Sql } from 'sql-template-tag'
import type { PlacedFormula } from '../../../nxql/binding-placement.ts'
import type { Test, ValueAtom } from '../../../nxql/formula.ts'
import { lowerCase } from '../../../nxql/letter-case.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import type { Dialect } from '../dialect.ts'
import { keyLength } from '../documents/property-key.ts'
import { singleValue } from './sql-operand.ts'
import { columnProperties } from './system-columns.ts'
import { isStorablePattern } from './value-test.ts'

/** A part that a text has to hold for a pattern to match it, so that an index of trigrams finds the documents. */
export interface ContainedText {
  /** True of the documents that hold it, to start from. */
  readonly holds: Sql
  /** `SELECT …` a row for each of them. */
  readonly rows: Sql
  /** Whether the pattern asks for nothing else. */
  readonly isExact: boolean
}

const lettersOfTrigram = 3

// Each letter more is another entry of the index to look for, and says little.
const longestPart = 40

/** Undefined where no index knows, or another one knows better. */
export function findContained(dialect: Dialect, formula: PlacedFormula): ContainedText | undefined {
  const { trigrams } = dialect.search
  if (trigrams === undefined || formula.kind !== 'value' || formula.negated) return undefined
  const property = findProperty(formula)
  const part = findPart(formula)
  if (property === undefined || part === undefined || !trigrams.has(property)) return undefined
  const text = singleValue(dialect, formula.reference).exact
  return {
    holds: trigrams.holds(property, text, part.text),
    rows: trigrams.rows(property, text, part.text),
    isExact: part.isWhole,
  }
}

/**
 * The documents whose indexed beginning matches a pattern that has no three letters in a row, or is too short to tell: to be made sure of.
 * Going through an index takes a tenth of the time that looking into the properties of each document does. Undefined where there is
 * none, or the engine chooses for itself.
 */
export function findScanned(dialect: Dialect, formula: PlacedFormula): Sql | undefined {
  if (!dialect.search.plansBlindly || formula.kind !== 'value' || formula.negated) return undefined
  const { test } = formula
  if (test.kind !== 'like' || findProperty(formula) === undefined || !isStorablePattern(test.pattern)) return undefined
  if (isBeginning(test) || findContained(dialect, formula) !== undefined) return undefined
  const { key } = singleValue(dialect, formula.reference)
  if (key === undefined) return undefined
  const { like, lowered } = dialect.search
  const matches = like(test.ignoresCase ? lowered(key) : key, test.pattern)
  return sql`documents.seq IN (SELECT scanned.seq FROM documents AS scanned
    WHERE ${dialect.inTimeAtDocument(raw('scanned.seq'))} AND (${matches} OR length(${key}) >= ${raw(String(keyLength))}))`
}

function findProperty({ reference }: ValueAtom): string | undefined {
  if (reference.kind !== 'property' || reference.isList || reference.steps.length > 0) return undefined
  return columnProperties.has(reference.property.name) ? undefined : reference.property.name
}

interface Part {
  /** In lower case. */
  readonly text: string
  /** Whether whatever holds the part matches. */
  readonly isWhole: boolean
}

/** The longest text among the pieces of a pattern; one that begins with letters and minds their case has an index of its own. */
export function findPart({ test }: Pick<ValueAtom, 'test'>): Part | undefined {
  if (test.kind !== 'like' || !isStorablePattern(test.pattern)) return undefined
  if (isBeginning(test)) return undefined
  const letters = test.pattern.map(lettersOf).reduce((one, other) => (other.length > one.length ? other : one), [])
  if (letters.length < lettersOfTrigram) return undefined
  const isWhole = test.ignoresCase && isContains(test.pattern) && letters.length <= longestPart
  return { text: letters.slice(0, longestPart).join(''), isWhole }
}

/** An index has these together. */
function isBeginning({ ignoresCase, pattern }: Test & { readonly kind: 'like' }): boolean {
  return !ignoresCase && (pattern[0] === undefined || pattern[0].kind === 'text')
}

function lettersOf(piece: LikePiece): readonly string[] {
  return piece.kind === 'text' ? Array.from(lowerCase(piece.text)) : []
}

/** `%x%` */
function isContains(pattern: readonly LikePiece[]): boolean {
  return pattern.length === 3 && pattern[0]?.kind === 'run' && pattern[1]?.kind === 'text' && pattern[2]?.kind === 'run'
}
