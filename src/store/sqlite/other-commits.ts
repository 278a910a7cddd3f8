/** Tells of commits of other processes while somebody wants to know. */
export interface OtherCommits {
  /** Gives the function that ends it. */
  listen(listener: () => void): () => void
  end(): void
}

/** So soon a commit of another process is seen. Asking takes 2 µs, so that a second of it costs a tenth of a millisecond. */
const lookMilliseconds = 20

/**
 * The embedded database wakes nobody. Its data version changes with each commit of another connection, and with none of the connection
 * that is asked.
 * @param dataVersion of the connection that writes
 */
export function watchOtherCommits(dataVersion: () => number): OtherCommits {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let known = 0

  function look(): void {
    const version = dataVersion()
    if (version === known) return
    known = version
    for (const listener of listeners) listener()
  }

  function rest(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    listen(listener) {
      if (timer === undefined) {
        known = dataVersion()
        timer = setInterval(look, lookMilliseconds).unref()
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) rest()
      }
    },
    end: rest,
  }
}
