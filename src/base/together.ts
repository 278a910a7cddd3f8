/**
 * Loads at once what is wished for at the same time: the first wish waits until whatever runs now has had its turn, and takes along
 * all that came up meanwhile. Each is given what was loaded for all of them.
 * @example
 * const countTogether = together(async (words: readonly string[]) => words.length)
 * await Promise.all(['one', 'two'].map(countTogether)) // [2, 2]: counted once
 */
export function together<Wish, Loaded>(load: (wishes: readonly Wish[]) => Promise<Loaded>): (wish: Wish) => Promise<Loaded> {
  let waiting: Wish[] = []
  let loading: Promise<Loaded> | undefined
  const loadWaiting = () => {
    const wishes = waiting
    waiting = []
    // Whoever comes from here on may wish for something newer than what is being loaded.
    loading = undefined
    return load(wishes)
  }
  return (wish) => {
    waiting.push(wish)
    loading ??= Promise.resolve().then(loadWaiting)
    return loading
  }
}
