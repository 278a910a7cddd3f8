import type { AuditFilter } from '../../audit/index.ts'
import type { SearchCondition } from '../request/condition.ts'
import { type BoundEnvironment, momentOfBound } from '../request/moments.ts'

const mostNamed = 100

type Draft = { -readonly [Name in keyof AuditFilter]: AuditFilter[Name] }

/** As much of a condition as the log has indexes for: rows that fulfil it are among those of the filter. */
export function filterOf(condition: SearchCondition, environment: BoundEnvironment): AuditFilter {
  const filter: Draft = { eventIds: [], categories: [], principalNames: [] }
  for (const part of partsOf(condition)) {
    if (part.kind === 'oneOf' && part.values.length > 0 && part.values.length <= mostNamed) {
      nameIn(filter, part.field, part.values.map(String))
    }
    if (part.kind === 'range' && part.field === 'eventDate') {
      for (const bound of part.bounds) {
        const moment = momentOfBound(bound, part.reading, environment)
        if (moment === undefined) continue
        if (bound.operator.startsWith('>')) filter.from = Math.max(filter.from ?? moment, moment)
        else filter.to = Math.min(filter.to ?? moment, moment)
      }
    }
  }
  return filter
}

/** What all has to hold. */
function partsOf(condition: SearchCondition): readonly SearchCondition[] {
  return condition.kind === 'and' ? condition.of.flatMap(partsOf) : [condition]
}

/** Of two conditions on one field the first is enough, as each row is looked at once more. */
function nameIn(filter: Draft, field: string, values: readonly string[]): void {
  const [value = '', ...others] = values
  if (field === 'eventId' && filter.eventIds.length === 0) filter.eventIds = values
  if (field === 'category' && filter.categories.length === 0) filter.categories = values
  if (field === 'principalName' && filter.principalNames.length === 0) filter.principalNames = values
  if (field === 'docUUID' && filter.sources === undefined) filter.sources = values.map((documentId) => ({ documentId }))
  if (others.length > 0) return
  if (field === 'docType') filter.docType ??= value
  if (field === 'docPath') filter.docPath ??= value
  if (field === 'repositoryId') filter.repositoryId ??= value
}
