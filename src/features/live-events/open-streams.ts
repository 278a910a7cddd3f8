import { networkOf } from '../../base/address-range.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Principal } from '../../model/rights/principal.ts'

const tooManyStreams = defineProblem(
  'tooManyStreams',
  'throttled',
  (of: { max: number }) =>
    `You have ${of.max} streams of live events open already, which is all that one user may have. Close one.`,
)

const streamsExhausted = defineProblem(
  'streamsExhausted',
  'unavailable',
  (_: object) => 'The server has as many streams of live events open as it may. Try again later.',
)

export interface StreamLimits {
  readonly maxOfUser: number
  readonly maxInAll: number
}

/** The streams of this process, counted by whom they are for. */
export interface OpenStreams {
  /** @throws tooManyStreams, streamsExhausted */
  requirePlace(owner: string): void
  /** Takes a place and gives the function that gives it back; undefined where none is left by now. */
  take(owner: string): (() => void) | undefined
}

/** Everybody who does not sign in has the same name: of them those from one address share their streams. */
export function ownerOf({ name, isAnonymous }: Principal, clientAddress: string): string {
  return isAnonymous ? `${name} ${networkOf(clientAddress)}` : name
}

export function createOpenStreams({ maxOfUser, maxInAll }: StreamLimits): OpenStreams {
  const counts = new Map<string, number>()
  let all = 0

  function release(owner: string): void {
    const left = (counts.get(owner) ?? 1) - 1
    if (left > 0) counts.set(owner, left)
    else counts.delete(owner)
    all -= 1
  }

  return {
    requirePlace(owner) {
      if ((counts.get(owner) ?? 0) >= maxOfUser) throw tooManyStreams({ max: maxOfUser })
      if (all >= maxInAll) throw streamsExhausted({})
    },
    take(owner) {
      const count = counts.get(owner) ?? 0
      if (count >= maxOfUser || all >= maxInAll) return undefined
      counts.set(owner, count + 1)
      all += 1
      return () => release(owner)
    },
  }
}
