import { createCache } from '../base/cache/bounded-cache.ts'
import type { Model } from '../model/model.ts'
import { compileQuery } from './compile-query.ts'
import type { QueryForm } from './failed-query.ts'
import type { Query } from './query.ts'
import type { QuerySettings } from './query-settings.ts'

/** Compiles a query once and caches it by its text. @throws failedQuery */
export type QueryCompiler = (text: string, form?: QueryForm) => Query

interface CacheLimits {
  readonly queries: number
  /** Longer ones are mostly lists of ids that are not sent twice. */
  readonly textLength: number
}

/** For one model and one set of settings. The query asked for least recently leaves first; the same text gives the same object. */
export function createQueryCompiler(
  model: Model,
  settings: QuerySettings,
  limits: CacheLimits = { queries: 1_000, textLength: 10_000 },
): QueryCompiler {
  // Nothing invalidates a query: model and settings are those of the compiler.
  const cached = createCache<string, Query>({ maxEntries: limits.queries })
  return (text, form = 'documents') => {
    const known = cached.get(text)
    if (known !== undefined) return known
    const query = compileQuery(model, text, { settings, form })
    if (text.length <= limits.textLength) cached.set(text, query)
    return query
  }
}
