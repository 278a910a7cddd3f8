import type { Principal } from '../../model/rights/principal.ts'

/** Who somebody was, with the groups of then: exactly so at this generation of memberships. */
export interface DatedPrincipal {
  readonly generation: number
  readonly principal: Principal
}

/** Somebody who listens: who that is now, and the last that is known of who it was, oldest first. */
export interface ListeningPrincipal {
  readonly principal: Principal
  readonly known: readonly DatedPrincipal[]
}

/** `reset`: whether somebody may be told cannot be found out any more, so they are only told that something may be missing. */
export type RemovalVerdict = 'tell' | 'hide' | 'reset'

/**
 * Of the removal of a document somebody is told who could read it when it was removed, with the groups of then, and could still with those
 * of now. Who joins a group hears nothing of what it could read before.
 *
 * Nobody stores the groups of then, but a removal has the generation of memberships at which it was, and who listens is known at each
 * generation at which that was looked up. Where the two meet nothing is guessed. Where the removal lies between two look-ups, somebody who
 * could read the document at both of them may have left the group meanwhile, and hears only of something that is missing. Whose groups have
 * changed between the two, or who came later than the removal, hears that whatever the document was, so that it tells nothing of it.
 */
export function judgeRemoval(
  { principal, known }: ListeningPrincipal,
  generation: number | undefined,
  canRead: (principal: Principal) => boolean,
): RemovalVerdict {
  const before = generation === undefined ? undefined : known.findLast((one) => one.generation <= generation)
  if (before === undefined) return 'reset'
  if (before.generation === generation) return canRead(before.principal) && canRead(principal) ? 'tell' : 'hide'
  if (before.principal.names.symmetricDifference(principal.names).size > 0) return 'reset'
  return canRead(principal) ? 'reset' : 'hide'
}

/** Memberships seldom change more often between an event and its telling. */
const mostKnown = 8

/** With one more, the oldest left out. */
export function withKnown(known: readonly DatedPrincipal[], one: DatedPrincipal): readonly DatedPrincipal[] {
  const last = known.at(-1)
  if (last !== undefined && last.generation >= one.generation) return known
  return [...known.slice(1 - mostKnown), one]
}
