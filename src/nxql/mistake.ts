import { defineProblem, type ProblemFactory } from '../base/problem.ts'

/** Where in the text of a query something is, counted from 0 in UTF-16 units. */
export interface Spot {
  readonly offset: number
}

/** A stretch of the text of a query. */
export interface Span extends Spot {
  readonly end: number
}

/** Declares a mistake that the author of a query made at some place of its text. */
export function defineMistake<Details extends object>(
  code: string,
  sentence: (details: Details) => string,
): ProblemFactory<Details & Spot> {
  return defineProblem<Details & Spot>(code, 'invalid', sentence)
}
