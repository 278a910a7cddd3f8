import type { AggregateDefinition } from '../../../core/search/aggregates/aggregate-definition.ts'

export function modifiedAggregate(schema: string): AggregateDefinition {
  return {
    id: 'dc_modified_agg',
    type: 'date_range',
    field: 'dc:modified',
    searchField: { schema, name: 'dc_modified_agg' },
    properties: { format: '"dd-MM-yyyy"' },
    dateRanges: [
      { key: 'last24h', from: 'now-24H', to: 'now' },
      { key: 'lastWeek', from: 'now-7d', to: 'now-24H' },
      { key: 'lastMonth', from: 'now-1M', to: 'now-7d' },
      { key: 'lastYear', from: 'now-1y', to: 'now-1M' },
      { key: 'priorToLastYear', to: 'now-1y' },
    ],
  }
}

export function sizeAggregate(schema: string): AggregateDefinition {
  return {
    id: 'common_size_agg',
    type: 'range',
    field: 'file:content.length',
    searchField: { schema, name: 'common_size_agg' },
    ranges: [
      { key: 'tiny', to: 102_400 },
      { key: 'small', from: 102_401, to: 1_048_576 },
      { key: 'medium', from: 1_048_577, to: 10_485_760 },
      { key: 'big', from: 10_485_761, to: 104_857_600 },
      { key: 'huge', from: 104_857_601 },
    ],
  }
}
