import type { AggregateDefinition } from '../../../core/search/aggregates/aggregate-definition.ts'
import { dateFormatOf, zoneOf } from '../../../core/search/aggregates/aggregate-properties.ts'
import type { AggregateBucket } from '../../../core/search/aggregates/bucket.ts'
import { parseLong } from '../../../model/properties/long.ts'
import type { ValueType } from '../../../nxql/reference.ts'
import { utc } from '../../../nxql/time-zone.ts'
import type { Result } from './computation.ts'

/** What a bucket is called, as search engines call it: moments by their milliseconds, numbers by themselves. */
export function bucketKeys(definition: AggregateDefinition, type: ValueType): (bucket: AggregateBucket) => Result {
  const zone = zoneOf(definition, utc)
  const format = dateFormatOf(definition)
  const written = (iso: string) => format?.format(Date.parse(iso), zone) ?? iso
  return (bucket) => {
    switch (bucket.kind) {
      case 'term':
        return termKey(bucket.key, type)
      case 'range':
        return definition.type === 'histogram' ? { key: bucket.from } : rangeKey(bucket)
      case 'dateRange':
        if (definition.type === 'date_histogram') return { key_as_string: bucket.key, key: Date.parse(bucket.from ?? '') }
        return dateRangeKey(bucket, written)
    }
  }
}

function termKey(key: string, type: ValueType): Result {
  switch (type) {
    case 'long':
      return { key: parseLong(key) ?? key }
    case 'double':
      return { key: Number(key) }
    case 'boolean':
      return { key: key === 'true' ? 1 : 0, key_as_string: key }
    case 'date':
      return { key: Date.parse(key), key_as_string: key }
    default:
      return { key }
  }
}

function rangeKey({ key, from, to }: Extract<AggregateBucket, { readonly kind: 'range' }>): Result {
  return { key, ...(from !== null && { from }), ...(to !== null && { to }) }
}

function dateRangeKey(
  { key, from, to }: Extract<AggregateBucket, { readonly kind: 'dateRange' }>,
  written: (iso: string) => string,
): Result {
  const [first, last] = [from, to].map((bound) => (bound === null ? undefined : written(bound)))
  return {
    key: key === '' ? `${first ?? '*'}-${last ?? '*'}` : key,
    ...(from !== null && { from: Date.parse(from), from_as_string: first }),
    ...(to !== null && { to: Date.parse(to), to_as_string: last }),
  }
}
