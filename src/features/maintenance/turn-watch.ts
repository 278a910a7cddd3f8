const lookMillis = 1_000

interface TurnWatch {
  /** Aborted when the server stops, or when a look found that the task is to end. */
  readonly signal: AbortSignal
  report(done: number, total: number): void
  /** Resolves once no look is under way. */
  end(): Promise<void>
}

/** Every second of a turn that takes so long: hands on what it has reported, and learns whether it is to end. */
export function watchTurn(
  serverStops: AbortSignal,
  look: (reported: { readonly done: number; readonly total: number } | undefined) => Promise<{ readonly stops: boolean }>,
  onFailure: (error: unknown) => void,
): TurnWatch {
  const ending = new AbortController()
  let reported: { readonly done: number; readonly total: number } | undefined
  let looking: Promise<void> | undefined
  const lookOnce = async () => {
    try {
      if ((await look(reported)).stops) ending.abort()
    } catch (error) {
      onFailure(error) // the next look may succeed
    } finally {
      looking = undefined
    }
  }
  const timer = setInterval(() => {
    looking ??= lookOnce()
  }, lookMillis).unref()
  return {
    signal: AbortSignal.any([serverStops, ending.signal]),
    report(done, total) {
      reported = { done, total }
    },
    async end() {
      clearInterval(timer)
      await looking
    },
  }
}
