import { memoised } from '../../base/cache/memo.ts'
import { stringifyJson } from '../../base/json.ts'
import type { Model } from '../../model/model.ts'

const textsOf = memoised((_: Model) => new Map<string, string>())

/**
 * What is written about a model as JSON text, under a key of its own: a model never changes, so each is written once. There
 * are as many as the model has names; what is not there is undefined and not cached.
 */
export function cachedText(model: Model, key: string, write: () => unknown): string | undefined {
  const texts = textsOf(model)
  const known = texts.get(key)
  if (known !== undefined) return known
  const value = write()
  if (value === undefined) return undefined
  const text = stringifyJson(value)
  texts.set(key, text)
  return text
}
