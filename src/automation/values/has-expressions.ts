import type { Json } from '../../base/json.ts'
import { isTemplate } from '../expressions/template.ts'

export function hasExpressions(json: Json): boolean {
  if (typeof json === 'string') return isTemplate(json)
  return typeof json === 'object' && json !== null && Object.values(json).some(hasExpressions)
}
