/** Asks over and over for so long, one question after another; gives how many milliseconds each answer took. */
export async function latenciesOf(ask: () => Promise<void>, milliseconds: number): Promise<readonly number[]> {
  const latencies: number[] = []
  const end = performance.now() + milliseconds
  for (let started = performance.now(); started < end; started = performance.now()) {
    await ask()
    latencies.push(performance.now() - started)
  }
  return latencies
}

/** The latency that all but one in a hundred are below. */
export function p99(latencies: readonly number[]): number {
  const sorted = latencies.toSorted((left, right) => left - right)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

/** Does something again and again until it is told to end, whether that succeeds or not. */
export function keepDoing(what: () => Promise<unknown>): { end(): Promise<number> } {
  let isOver = false
  let times = 0
  const done = (async () => {
    while (!isOver) {
      await what()
      times += 1
    }
  })()
  return {
    async end() {
      isOver = true
      await done
      return times
    },
  }
}
