import { processorSeconds } from './process-use.ts'

/** Something whose rate is measured: the server, or a bare program that does the same. */
export interface Contender {
  readonly processId: number
  /** What has to be done before the first measurement, beside working for a while. */
  warmUp?(): Promise<void>
  /** Works for so many seconds; gives how often in a second. */
  rateFor(seconds: number): Promise<number>
  stop(): Promise<void>
}

export interface Pace {
  readonly perSecond: number
  /** Of processor time for one piece of work; undefined where the system does not tell. */
  readonly microseconds: number | undefined
}

// V8 goes on compiling what a write calls for as long, on a processor of its own, which a server does once in its life.
const warmUpSeconds = 6
const rounds = 3

/**
 * The median paces of contenders that take turns, so that whatever else the machine does meanwhile falls on all of them. One
 * after another, never at once.
 */
export async function measureInTurns(contenders: readonly Contender[], seconds: number): Promise<readonly Pace[]> {
  const paces = contenders.map((): Pace[] => [])
  for (const contender of contenders) {
    await contender.warmUp?.()
    await contender.rateFor(Math.min(warmUpSeconds, 2 * seconds))
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) paces[index]?.push(await paceOf(contender, seconds))
  }
  return paces.map(medianPace)
}

async function paceOf({ processId, rateFor }: Contender, seconds: number): Promise<Pace> {
  const [startTime, startUse] = [performance.now(), processorSeconds(processId)]
  const perSecond = await rateFor(seconds)
  const [endTime, endUse] = [performance.now(), processorSeconds(processId)]
  if (startUse === undefined || endUse === undefined) return { perSecond, microseconds: undefined }
  const pieces = (perSecond * (endTime - startTime)) / 1_000
  return { perSecond, microseconds: ((endUse - startUse) * 1_000_000) / pieces }
}

function medianPace(paces: readonly Pace[]): Pace {
  const microseconds = paces.flatMap((pace) => pace.microseconds ?? [])
  return {
    perSecond: median(paces.map((pace) => pace.perSecond)),
    microseconds: microseconds.length === 0 ? undefined : median(microseconds),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}
