/**
 * Loads in one batch what is asked for in the same tick: the first call waits for the end of the current microtask, and its batch has
 * the keys of all calls until then. Each is given what was loaded for all of them.
 * @example
 * const countBatched = batched(async (words: readonly string[]) => words.length)
 * await Promise.all(['one', 'two'].map(countBatched)) // [2, 2]: counted once
 */
export function batched<Key, Loaded>(load: (keys: readonly Key[]) => Promise<Loaded>): (key: Key) => Promise<Loaded> {
  let waiting: Key[] = []
  let loading: Promise<Loaded> | undefined
  const loadWaiting = () => {
    const keys = waiting
    waiting = []
    // A later call may ask for something newer than what is being loaded.
    loading = undefined
    return load(keys)
  }
  return (key) => {
    waiting.push(key)
    loading ??= Promise.resolve().then(loadWaiting)
    return loading
  }
}
