import { unreachable } from '../../src/base/unreachable.ts'
import type { Pace } from '../rounds.ts'

/** What was measured, in its unit, and what the performance budget asks of it. */
export type Measure =
  | {
      readonly kind: 'rate'
      readonly quire: Pace
      readonly bare: Pace
      readonly leastShare?: number
      readonly growsWithMatches?: true
    }
  | { readonly kind: 'time'; readonly seconds: number; readonly bareSeconds: number; readonly maxSeconds: number }
  | { readonly kind: 'memory'; readonly megabytes: number; readonly maxMegabytes?: number }
  | { readonly kind: 'growth'; readonly factor: number; readonly processorFactor?: number; readonly maxFactor?: number }

export interface Finding {
  readonly row: string
  readonly title: string
  /** Files in the repository it was measured in. */
  readonly files: number
  /** What there was instead of files, where these do not matter. */
  readonly among?: string
  readonly measure: Measure
}

/** Undefined when the budget asks for nothing. */
export function isWithinBound(measure: Measure): boolean | undefined {
  switch (measure.kind) {
    case 'rate':
      return measure.leastShare === undefined ? undefined : shareOf(measure) >= measure.leastShare
    case 'time':
      return measure.seconds <= measure.maxSeconds
    case 'memory':
      return measure.maxMegabytes === undefined ? undefined : measure.megabytes <= measure.maxMegabytes
    case 'growth':
      return measure.maxFactor === undefined ? undefined : measure.factor <= measure.maxFactor
    default:
      return unreachable(measure)
  }
}

type Rate = Extract<Measure, { kind: 'rate' }>

/** What the server achieves of the bare program's rate. */
export function shareOf({ quire, bare }: Rate): number {
  return quire.perSecond / bare.perSecond
}

/** The same by processor time: other programs on the machine do not change it, waiting for the disk is not in it. */
export function processorShareOf({ quire, bare }: Rate): number | undefined {
  if (quire.microseconds === undefined || bare.microseconds === undefined) return undefined
  return bare.microseconds / quire.microseconds
}
