/** Tells whoever does the work of this process that a transaction of this process has left some. */
export interface JobSignal {
  raise(): void
  /** Gives the function that ends the listening. */
  listen(listener: () => void): () => void
}

export function createJobSignal(): JobSignal {
  const listeners = new Set<() => void>()
  return {
    raise() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
