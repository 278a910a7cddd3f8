import { type IsoDate, isoDate } from '../../base/iso-date.ts'
import { type Ace, concerns } from './acl.ts'
import type { PermissionTable } from './permission.ts'
import type { Principal } from './principal.ts'

/**
 * How long a permission is granted from now on without a break, with all that it includes, as the entries are: null is for good, undefined
 * that it is not. An entry may deny a part of what another one grants as a whole.
 */
export function grantedUntil(
  aces: readonly Ace[],
  principal: Principal,
  permission: string,
  table: PermissionTable,
  now: IsoDate,
): IsoDate | null | undefined {
  const own = aces.filter(({ username }) => principal.names.has(username))
  const denied = new Set(own.filter(({ granted }) => !granted).map((ace) => ace.permission))
  const parts = table.names
    .map(table.grantedBy)
    .filter((granting) => granting.has(permission) && !granting.isDisjointFrom(denied))
  const ends = [table.grantedBy(permission), ...parts].map((granting) =>
    endOf(
      own.filter((ace) => concerns(ace, principal, granting)),
      now,
    ),
  )
  return ends.reduce((one, other) => (one === undefined || other === undefined ? undefined : soonest(one, other)))
}

const soonest = (one: IsoDate | null, other: IsoDate | null) => (one === null || (other !== null && other < one) ? other : one)

/**
 * The same by entries that all concern it. Each of them decides in what of its time none before it has decided: documents may have thousands
 * with dates, which are not evaluated anew for each date.
 */
function endOf(aces: readonly Ace[], now: IsoDate): IsoDate | null | undefined {
  const present = Date.parse(now)
  const spans = spansFrom(present, aces)
  const moments = [...new Set([present, ...spans.flatMap(({ from, to }) => [from, to])])].sort((one, other) => one - other)
  const indexOf = new Map(moments.map((moment, index) => [moment, index]))
  const undecided = createUndecided(moments.length)
  let refused = moments.length
  for (const { granted, from, to } of spans) {
    for (const index of undecided.decide(indexOf.get(from) ?? 0, indexOf.get(to) ?? 0))
      if (!granted) refused = Math.min(refused, index)
  }
  const first = moments[Math.min(refused, undecided.firstFrom(0))] ?? Number.POSITIVE_INFINITY
  if (first === present) return undefined
  return first === Number.POSITIVE_INFINITY ? null : isoDate(new Date(first - 1))
}

interface Span {
  readonly granted: boolean
  readonly from: number
  /** The first moment behind it. */
  readonly to: number
}

/** An entry counts from its begin on, and for the last time at its end. */
function spansFrom(present: number, aces: readonly Ace[]): readonly Span[] {
  return aces
    .map(({ granted, begin, end }) => ({
      granted,
      from: begin === null ? present : Math.max(present, Date.parse(begin)),
      to: end === null ? Number.POSITIVE_INFINITY : Date.parse(end) + 1,
    }))
    .filter(({ to }) => to > present)
}

interface Undecided {
  /** The first index from there on that nothing has decided; their count where all are. */
  firstFrom(start: number): number
  /** Gives those between the two that are undecided yet, each of which is decided from then on. */
  decide(from: number, to: number): Generator<number>
}

/** Indexes of moments, passed over in one step where many that are decided follow each other. */
function createUndecided(count: number): Undecided {
  // From a decided one to one behind it, from an undecided one to itself.
  const onward = Array.from({ length: count + 1 }, (_, index) => index)
  function firstFrom(start: number): number {
    let index = start
    for (let next = onward[index] ?? index; next !== index; next = onward[index] ?? index) {
      onward[index] = onward[next] ?? next
      index = next
    }
    return index
  }
  return {
    firstFrom,
    *decide(from, to) {
      for (let index = firstFrom(from); index < to; index = firstFrom(index)) {
        yield index
        onward[index] = index + 1
      }
    },
  }
}
