import { unreachable } from '../base/unreachable.ts'
import type { SettingDeclaration } from './define-settings.ts'
import type { DurationUnit } from './duration.ts'

/** What a value must be, as the end of the sentence "… must be". */
export function expectationOf(declaration: SettingDeclaration): string {
  switch (declaration.type) {
    case 'string':
      return declaration.pattern?.expected ?? 'text'
    case 'secret':
      return 'text'
    case 'integer':
      return `a whole number${bounds(declaration.min, declaration.max)}`
    case 'boolean':
      return 'true or false'
    case 'bytes':
      return `a size such as 512 kB, 50 MB or 4 GiB${bounds(declaration.min, declaration.max)}`
    case 'duration':
      return `a duration such as 30s, 60m, 36h or 1d${bareNumber(declaration.bareUnit)}${bounds(declaration.min, declaration.max)}`
    case 'list':
      return `a comma-separated list${declaration.pattern ? ` whose entries are each ${declaration.pattern.expected}` : ''}`
    case 'choice':
      return `one of ${declaration.choices.filter((choice) => choice !== '').join(', ')}`
    case 'url':
      return `a URL that starts with ${(declaration.protocols ?? ['http', 'https']).map((name) => `${name}://`).join(' or ')}`
    case 'json':
      return 'an object, or its JSON'
    case 'jsonList':
      return 'a list of objects, or its JSON'
    default:
      return unreachable(declaration)
  }
}

function bareNumber(unit: DurationUnit | undefined): string {
  return unit === undefined ? '' : ` (a number alone is in ${unit})`
}

function bounds(min: number | string | undefined, max: number | string | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return `, ${min} or more`
  return max === undefined ? '' : `, at most ${max}`
}
