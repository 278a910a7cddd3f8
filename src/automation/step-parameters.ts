import type { Json } from '../base/json.ts'
import type { JsonObject } from '../model/coercion.ts'
import type { Converting } from './convert-value.ts'
import { evaluateTemplate } from './expressions/evaluate-template.ts'
import { hasExpressions } from './has-expressions.ts'
import type { StepParameters } from './plan.ts'
import { valueOfJson } from './sent-value.ts'
import type { Value } from './value.ts'

/** What a chain tells a step: texts that begin with `expr:` are expressions, wherever they stand. */
export async function stepParameters(params: StepParameters, converting: Converting): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  for (const [name, json] of Object.entries(params)) values.set(name, await evaluated(json, converting))
  return values
}

async function evaluated(json: Json, converting: Converting): Promise<Value> {
  if (!hasExpressions(json)) return valueOfJson(json)
  if (typeof json === 'string') return evaluateTemplate(converting, json)
  if (Array.isArray(json)) return { kind: 'list', items: await evaluatedItems(json, converting) }
  const members = await evaluatedItems(Object.values(json as JsonObject), converting)
  return {
    kind: 'map',
    members: Object.fromEntries(Object.keys(json as JsonObject).map((name, index) => [name, members[index] as Value])),
  }
}

async function evaluatedItems(items: readonly Json[], converting: Converting): Promise<readonly Value[]> {
  const values: Value[] = []
  for (const item of items) values.push(await evaluated(item, converting))
  return values
}
