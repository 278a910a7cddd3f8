import { once } from '../../../base/cache/memo.ts'
import { type AggregateField, anyOf } from '../../../core/search/aggregates/aggregate-field.ts'
import type { AskSummary } from '../../../core/search/aggregates/aggregate-plan.ts'
import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import { within } from '../../../core/search/aggregates/ranges.ts'
import { termCondition } from '../../../core/search/aggregates/terms.ts'
import { exactTimestamp } from '../../../core/search/aggregates/value-key.ts'
import { compile } from '../../../core/search/page/run-query.ts'
import { allDocuments } from '../../../core/search/providers/conditions.ts'
import { addConditions } from '../../../core/search/query/split-query.ts'
import type { Session } from '../../../core/session.ts'
import type { SearchScope } from '../../../store/search.ts'
import { refuse } from '../request/json-parts.ts'
import type { BucketParts, FilledBucket, SummarySource } from '../results/summary-source.ts'
import { conditionText, type Translation } from './condition-text.ts'
import { findDocumentField } from './document-field.ts'
import { askInParts, createPartLooks, type DocumentPart, partsOf } from './document-parts.ts'

const mostSummaries = 1_500

interface Search {
  readonly session: Session
  readonly scope: SearchScope
  readonly translation: Translation
  summaries: number
}

/** The documents that a query finds, each summary of which is a statement, or a part of one about several buckets. */
export function documentSource(query: string, search: Omit<Search, 'summaries'>): SummarySource {
  return sourceOf(() => query, { ...search, summaries: 0 })
}

/**
 * @param readQuery of a bucket it is hardly ever asked for, and takes longer to write than what is answered of it
 * @param parts of other documents that what the query finds is, the widest first
 */
function sourceOf(readQuery: () => string, search: Search, parts: readonly DocumentPart[] = []): SummarySource {
  const { session, scope, translation } = search
  const { search: reader } = session.reader
  const compiled = () => compile(session, readQuery())
  const ask: AskSummary = (summary, of = 'found') => {
    spend(search)
    return reader.summarise(of === 'found' ? compiled() : compile(session, allDocuments), scope, summary)
  }
  const narrowed = (readCondition: () => string, own?: readonly DocumentPart[]) =>
    sourceOf(
      once(() => addConditions(readQuery(), [readCondition()])),
      search,
      own,
    )
  return {
    count() {
      spend(search)
      return reader.count(compiled(), scope, 'documents', undefined)
    },
    findField(written) {
      const field = findDocumentField(session.model, written)?.aggregate
      return field && { field, ask: askInParts(written, parts, ask) }
    },
    async split(split) {
      const looks = createPartLooks((summary, partings) => {
        spend(search)
        return reader.summariseParts(compiled(), scope, summary, partings)
      })
      const partOf = partsOf(split, looks, parts)
      return split.buckets.map((bucket) => narrowed(() => partText(split, bucket, translation), partOf(bucket)))
    },
    where(condition) {
      const text = conditionText(condition, translation)
      return narrowed(() => text)
    },
  }
}

/** Each takes the database as long as a search, and the time for all of them is that of one. */
function spend(search: Search): void {
  search.summaries += 1
  if (search.summaries > mostSummaries)
    refuse(
      `The aggregations need more than ${mostSummaries} summaries, one for each bucket that another one is in. Ask for fewer buckets.`,
    )
}

function partText(
  { field, item, written }: BucketParts,
  { bucket, isOfValues, orMissing }: FilledBucket,
  translation: Translation,
): string {
  const found = isOfValues ? [bucketText(field, item, bucket)] : []
  if (!orMissing) return anyOf(found)
  return anyOf([...found, conditionText({ kind: 'not', of: { kind: 'exists', field: written } }, translation)])
}

function bucketText(field: AggregateField, item: number, bucket: AggregateBucket): string {
  switch (bucket.kind) {
    case 'term':
      return termCondition(field)([bucket.key])
    case 'range':
      return within(field.nameOf(item), boundsOf(bucket.from, bucket.to), String)
    case 'dateRange':
      return within(field.nameOf(item), boundsOf(momentIn(bucket.from), momentIn(bucket.to)), exactTimestamp)
  }
}

function momentIn(date: string | null): number | null {
  return date === null ? null : Date.parse(date)
}

function boundsOf(from: number | null, to: number | null) {
  return { ...(from !== null && { from }), ...(to !== null && { to }) }
}
