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
  return below(latencies, 0.99)
}

/** The latency that every other one is below. */
export function median(latencies: readonly number[]): number {
  return below(latencies, 0.5)
}

function below(latencies: readonly number[], share: number): number {
  const sorted = latencies.toSorted((left, right) => left - right)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
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
