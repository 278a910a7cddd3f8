import { type EngineName, engines } from './database-place.ts'

/**
 * Of many like things those that one engine is tried with: each meets one of the engines, for the other would take as long to say the
 * same. Another turn gives the other half, so that texts in many places meet both.
 */
export function shareOf<Item>(engine: EngineName, items: readonly Item[], turn = 0): readonly Item[] {
  return items.filter((_, index) => (index + turn) % engines.length === engines.indexOf(engine))
}
