import { createCache } from './bounded-cache.ts'

/**
 * A declared memo, the only state that may stand at module scope: what follows from an object that never changes is derived once, and
 * goes with the object. Nothing invalidates it.
 */
export function memoised<Key extends WeakKey, Value>(derive: (key: Key) => Value): (key: Key) => Value {
  const derived = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const known = derived.get(key)
    if (known !== undefined) return known.value
    const value = derive(key)
    derived.set(key, { value })
    return value
  }
}

/** The same for what follows from a text: of so many texts, those that were asked for last. */
export function memoisedByText<Value extends NonNullable<unknown>>(
  derive: (text: string) => Value,
  { maxEntries }: { readonly maxEntries: number },
): (text: string) => Value {
  const derived = createCache<string, Value>({ maxEntries })
  return (text) => {
    const known = derived.get(text)
    if (known !== undefined) return known
    const value = derive(text)
    derived.set(text, value)
    return value
  }
}

/** The same for what depends on nothing: made when it is first asked for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
