import type { Json } from '../../base/json.ts'
import { hasExpressions } from '../values/has-expressions.ts'

/**
 * How far a deployed chain or script, and not the caller, has decided what a step is told by a parameter. `declared`: it wrote the
 * value down. `opened`: it named the parameter, and an expression or its own caller says the value. Undefined: the caller alone.
 */
export type Origin = 'declared' | 'opened'

export type Origins = ReadonlyMap<string, Origin>

export const noOrigins: Origins = new Map()

/** Of what a chain tells a step. */
export function originOfStep(json: Json): Origin {
  return hasExpressions(json) ? 'opened' : 'declared'
}
