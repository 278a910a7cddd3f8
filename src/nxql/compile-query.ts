import type { Model } from '../model/model.ts'
import { checkQuery } from './check/check-query.ts'
import { namingTheQuery, type QueryForm } from './failed-query.ts'
import type { Query } from './query.ts'
import { createQueryTally, requireWithin } from './query-limits.ts'
import { defaultQuerySettings, type QuerySettings } from './query-settings.ts'
import { parseStatement } from './syntax/parse-statement.ts'

export interface CompileOptions {
  readonly settings?: QuerySettings
  /** What the caller wants; it shows in the message of a query that is refused. */
  readonly form?: QueryForm
}

/**
 * What the text of a query means to this model.
 * @throws failedQuery, whose cause is the mistake and whose offset says where it is
 */
export function compileQuery(model: Model, text: string, options: CompileOptions = {}): Query {
  const { settings = defaultQuerySettings, form = 'documents' } = options
  return namingTheQuery(text, form, () => {
    requireWithin(settings.limits, 'characters', text.length)
    const tally = createQueryTally(settings.limits)
    return checkQuery(model, settings, text, parseStatement(text, tally), tally)
  })
}
