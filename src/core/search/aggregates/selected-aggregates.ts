import type { Session } from '../../session.ts'
import type { PageProvider } from '../providers/page-provider.ts'
import { type Criteria, itemsOf } from '../query/search-document.ts'
import { addConditions } from '../query/split-query.ts'
import type { AggregateDefinition } from './aggregate-definition.ts'
import type { AggregatePlan } from './aggregate-plan.ts'
import { planAggregate } from './plan-aggregate.ts'

/** An aggregate of a provider with the keys that the client selected. */
export interface SelectedAggregate {
  readonly definition: AggregateDefinition
  readonly selection: readonly string[]
  /** Undefined: its field cannot be summarised. */
  readonly plan: AggregatePlan | undefined
  /** In NXQL; undefined when nothing is selected. */
  readonly condition: string | undefined
}

export function selectAggregates(
  session: Session,
  { aggregates = [] }: PageProvider,
  criteria: Criteria,
): readonly SelectedAggregate[] {
  const { model, now, repository } = session
  const environment = { model, now, zone: repository.searchRules.query.timeZone }
  return aggregates.map((definition, place) => {
    const selection = selectionOf(definition, criteria)
    const plan = planAggregate(definition, place, environment)
    const condition = selection.length === 0 ? undefined : plan?.conditionOf?.(selection)
    return { definition, selection, plan, condition }
  })
}

function selectionOf({ id, searchField }: AggregateDefinition, criteria: Criteria): readonly string[] {
  const criterion = searchField === undefined ? criteria.find(id) : criteria.findField(searchField)
  if (criterion === undefined) return []
  return itemsOf(criterion).flatMap((item) => (item === null || item === '' ? [] : String(item)))
}

/** The query narrowed to what is selected in all aggregates but one: its own selection does not change what it counts. */
export function withSelections(query: string, aggregates: readonly SelectedAggregate[], except?: SelectedAggregate): string {
  return addConditions(
    query,
    aggregates.flatMap((one) => (one === except || one.condition === undefined ? [] : one.condition)),
  )
}
