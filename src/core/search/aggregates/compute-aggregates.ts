import type { Session } from '../../session.ts'
import { compile, scopeOf } from '../page/run-query.ts'
import { allDocuments } from '../providers/conditions.ts'
import type { Aggregate, AggregateResult } from './aggregate.ts'
import type { AskSummary } from './aggregate-plan.ts'
import type { AggregateBucket } from './bucket.ts'
import { type SelectedAggregate, withSelections } from './selected-aggregates.ts'

/**
 * Computes the aggregates over all that the query finds, one after another, so that a search takes no more of the database than
 * any other does. With `onlySelected` those that filter nothing are left out.
 */
export async function computeAggregates(
  session: Session,
  query: string,
  aggregates: readonly SelectedAggregate[],
  { onlySelected }: { readonly onlySelected: boolean },
): Promise<readonly Aggregate[]> {
  const wanted = onlySelected ? aggregates.filter(({ selection }) => selection.length > 0) : aggregates
  if (wanted.length === 0) return []
  const scope = await scopeOf(session, compile(session, query))
  const computed: Aggregate[] = []
  for (const one of wanted) {
    const found = compile(session, withSelections(query, aggregates, one))
    const ask: AskSummary = (summary, of = 'found') =>
      session.reader.search.summarise(of === 'found' ? found : compile(session, allDocuments), scope, summary)
    const { definition, selection } = one
    computed.push({ definition, selection, result: await resultOf(one, ask) })
  }
  return computed
}

async function resultOf({ plan, selection }: SelectedAggregate, ask: AskSummary): Promise<AggregateResult> {
  if (plan === undefined) return { kind: 'nothing' }
  const result = await plan.compute(ask)
  if (result === null || typeof result === 'number') return { kind: 'value', value: result }
  return { kind: 'buckets', buckets: result, extendedBuckets: [...missing(selection, result), ...result] }
}

function missing(selection: readonly string[], buckets: readonly AggregateBucket[]): readonly AggregateBucket[] {
  const keys = new Set(buckets.map(({ key }) => key))
  return selection.filter((key) => !keys.has(key)).map((key) => ({ kind: 'term', key, count: 0 }))
}
