import type { Model } from '../model/model.ts'
import { compileQuery } from './compile-query.ts'
import type { QueryForm } from './failed-query.ts'
import type { Query } from './query.ts'
import type { QuerySettings } from './query-settings.ts'

/** Compiles a query once and keeps it by its text. @throws failedQuery */
export type QueryCompiler = (text: string, form?: QueryForm) => Query

interface CacheLimits {
  readonly queries: number
  /** Longer ones are mostly lists of ids that nobody sends twice. */
  readonly textLength: number
}

/** For one model and one set of settings. The query asked for least recently leaves first; the same text gives the same object. */
export function createQueryCompiler(
  model: Model,
  settings: QuerySettings,
  limits: CacheLimits = { queries: 1_000, textLength: 10_000 },
): QueryCompiler {
  const cached = new Map<string, Query>()
  return (text, form = 'documents') => {
    const known = cached.get(text)
    const query = known ?? compileQuery(model, text, { settings, form })
    if (text.length > limits.textLength) return query
    // A map keeps its order: what is put back is the youngest.
    cached.delete(text)
    cached.set(text, query)
    if (cached.size > limits.queries) cached.delete(cached.keys().next().value ?? '')
    return query
  }
}
