import type { Model } from '../../model/model.ts'
import type { Span, Spot } from '../mistake.ts'
import type { QueryTally } from '../query-limits.ts'
import type { QuerySettings } from '../query-settings.ts'
import type { BindingTable } from './binding-table.ts'

/** What checking one query needs. */
export interface CheckContext {
  readonly model: Model
  readonly settings: QuerySettings
  /** The query as written. */
  readonly text: string
  /** Counts what is only seen here, or becomes more here. */
  readonly tally: QueryTally
  /** Gathers the wildcards as they are met. */
  readonly bindings: BindingTable
  /** Gathers the places that ask how well the full-text match fits. */
  readonly scoreUses: Spot[]
}

export function writtenText({ text }: CheckContext, { offset, end }: Span): string {
  return text.slice(offset, end)
}
