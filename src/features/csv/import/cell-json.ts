import { plainCell } from '../../../base/csv/csv-records.ts'
import { findJson, type Json } from '../../../base/json.ts'
import type { FieldType, ScalarType } from '../../../model/field.ts'
import { isScalar } from '../../../model/field.ts'
import { RowRefusal } from './row-refusal.ts'

export interface CellRules {
  /** `12/31/2031` instead of ISO 8601. */
  readonly legacyDates: boolean
}

/**
 * What a cell means for a property: items of a list stand between `|`, and what has parts is JSON. Whether it fits is for the reading of
 * properties to say.
 * @throws RowRefusal
 */
export function cellJson(column: string, type: FieldType, cell: string, rules: CellRules): Json {
  if (isScalar(type)) return scalarJson(column, type, cell, rules)
  if (type.kind === 'list' && isScalar(type.item.type)) {
    const { type: item } = type.item
    return cell.split('|').map((text) => scalarJson(column, item, text, rules))
  }
  const json = findJson(cell)
  if (json === undefined) throw notConverted(column, cell, 'is no JSON')
  return json
}

function scalarJson(column: string, { kind }: ScalarType, text: string, { legacyDates }: CellRules): Json {
  switch (kind) {
    case 'string':
      return plainCell(text)
    case 'boolean':
      if (!/^(?:true|false)$/i.test(text.trim())) throw notConverted(column, text, 'is neither true nor false')
      return text.trim()
    case 'date':
      return legacyDates ? isoOfLegacy(column, text.trim()) : text.trim()
    default:
      return text.trim()
  }
}

function isoOfLegacy(column: string, text: string): string {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  if (year === '') throw notConverted(column, text, 'is no date such as 12/31/2031')
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

export function notConverted(column: string, cell: string, why: string, cause?: unknown): RowRefusal {
  const shown = cell.slice(0, 100)
  return new RowRefusal('cannotConvertFieldValue', `The value ${shown} of ${column} ${why}.`, [column, shown], { cause })
}
