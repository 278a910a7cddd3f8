import { isComplexValue, type PropertyValue } from '../../../src/model/properties/property.ts'
import { typeOnlyFacets, unseenFacets } from '../../../src/nxql/facet-rules.ts'
import { compareScalars, type Scalar } from '../../../src/nxql/fulltext/passing.ts'
import type { QueryReference, ReferenceStep } from '../../../src/nxql/reference.ts'
import type { Summary, SummaryField, SummaryRange, SummaryResult } from '../../../src/store/search.ts'
import type { Candidate } from '../../support/nxql/evaluator.ts'
import { canonical } from './expectation.ts'

/** What a summary says of these documents, each of which counts once for each distinct value. */
export function expectedSummary(summary: Summary, found: readonly Candidate[]): SummaryResult {
  const values = found.map((candidate) => distinct(valuesIn(candidate, summary.of)))
  switch (summary.kind) {
    case 'values':
      return { kind: 'counts', counts: mostFrequent(values, summary.max) }
    case 'prefixes': {
      const prefixes = values.map((all) => distinct(all.map((value) => String(value).slice(0, summary.length))))
      return { kind: 'counts', counts: mostFrequent(prefixes, summary.max) }
    }
    case 'ranges':
      return {
        kind: 'rangeCounts',
        counts: summary.ranges.map((range) => values.filter((all) => all.some(within(range))).length),
      }
    case 'intervals': {
      const bounds = values.map((all) => distinct(all.map((value) => Math.floor(Number(value) / summary.width) * summary.width)))
      const counts = mostFrequent(bounds, Number.POSITIVE_INFINITY)
      return { kind: 'counts', counts: counts.sort((left, right) => Number(left.value) - Number(right.value)) }
    }
    default:
      return { kind: 'number', value: totalOf(summary, values) }
  }
}

/** A summary as a text that is the same for what is the same; numbers are as exact as sums in any order are. */
export function summaryText(result: SummaryResult): string {
  switch (result.kind) {
    case 'counts':
      return result.counts.map(({ value, count }) => `${about(value)}: ${count}`).join('\n')
    case 'rangeCounts':
      return result.counts.join(' ')
    default:
      return result.value === null ? 'nothing' : about(result.value)
  }
}

function about(value: string | number | bigint | boolean): string {
  return typeof value === 'number' ? value.toPrecision(12) : String(value)
}

function valuesIn({ document }: Candidate, of: SummaryField): readonly Scalar[] {
  switch (of.kind) {
    case 'facets': {
      const own = document.facets.filter((facet) => !typeOnlyFacets.has(facet))
      return [...of.facetsOf(document.type), ...own].filter((facet) => !unseenFacets.has(facet))
    }
    case 'pathSegment':
      return document.path?.split('/').slice(of.depth, of.depth + 1) ?? []
    default:
      return valuesAt(document.properties, of.reference)
  }
}

function valuesAt(properties: Candidate['document']['properties'], reference: QueryReference): readonly Scalar[] {
  if (reference.kind !== 'property') throw new Error(`No summary of ${reference.identity} here`)
  const values = below(properties[reference.property.name] ?? null, reference.steps) as readonly Scalar[]
  return reference.type === 'double' ? values.map(Number) : values
}

function below(value: PropertyValue, [step, ...rest]: readonly ReferenceStep[]): readonly PropertyValue[] {
  if (value === null) return []
  if (step === undefined) return Array.isArray(value) ? value.filter((item) => item !== null) : [value]
  if (typeof step === 'object') return Array.isArray(value) ? value.flatMap((item) => below(item, rest)) : []
  if (typeof step === 'number') return below(Array.isArray(value) ? (value[step] ?? null) : null, rest)
  return below(isComplexValue(value) ? (value[step] ?? null) : null, rest)
}

function distinct(values: readonly Scalar[]): readonly Scalar[] {
  return [...new Map(values.map((value) => [canonical(value), value])).values()]
}

function mostFrequent(values: readonly (readonly Scalar[])[], max: number) {
  const counts = new Map<string, { readonly value: Scalar; count: number }>()
  for (const value of values.flat()) {
    const known = counts.get(canonical(value)) ?? { value, count: 0 }
    known.count += 1
    counts.set(canonical(value), known)
  }
  const sorted = [...counts.values()].sort((left, right) => right.count - left.count || compareScalars(left.value, right.value))
  return sorted.slice(0, max).map(({ value, count }) => ({ value: readable(value), count }))
}

/** Integers that no number can hold stay as they are. */
function readable(value: Scalar): Scalar {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function within({ from, to }: SummaryRange): (value: Scalar) => boolean {
  return (value) =>
    (from === undefined || compareScalars(value, from) >= 0) && (to === undefined || compareScalars(value, to) < 0)
}

function totalOf(summary: Extract<Summary, { kind: 'total' }>, values: readonly (readonly Scalar[])[]): number | null {
  const all = values.flat()
  if (summary.function === 'count') return all.length
  if (summary.function === 'cardinality') return distinct(all).length
  if (summary.function === 'missing') return values.filter((one) => one.length === 0).length
  const type = summary.of.kind === 'reference' ? summary.of.reference.type : 'string'
  const isNumber = type === 'long' || type === 'double'
  const isExtreme = summary.function === 'min' || summary.function === 'max'
  if (all.length === 0 || !(isNumber || (isExtreme && type === 'date'))) return null
  return combined(
    summary.function,
    all.map((value) => (typeof value === 'string' ? Date.parse(value) : Number(value))),
  )
}

function combined(name: 'sum' | 'avg' | 'min' | 'max', numbers: readonly number[]): number {
  if (name === 'min') return Math.min(...numbers)
  if (name === 'max') return Math.max(...numbers)
  const sum = numbers.reduce((so, number) => so + number, 0)
  return name === 'sum' ? sum : sum / numbers.length
}
