import type { Json } from '../../base/json.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import { valueOfJson } from '../values/read-sent-properties.ts'
import type { Value } from '../values/value.ts'
import { bindingsOf } from './bindings.ts'
import { Evaluation } from './evaluate.ts'
import { expressionWrong } from './expression-wrong.ts'
import { type EvaluationContext, type Operand, plainValue, text, textOf } from './operand.ts'
import { isTemplate, parseTemplate } from './template.ts'

/** What a text of a chain says, with or without `expr:` before it (contract: operations 1.12). @throws expressionWrong */
export async function evaluateTemplate(evaluationContext: EvaluationContext, written: string): Promise<Value> {
  return plainValue(await evaluateOperand(evaluationContext, written))
}

/** The same as an operand, whose members can still be read. */
export async function evaluateOperand(
  evaluationContext: EvaluationContext,
  written: string,
  bindings: ReadonlyMap<string, Value> = new Map(),
): Promise<Operand> {
  const template = parseTemplate(written)
  const evaluation = new Evaluation(evaluationContext, bindingsOf(evaluationContext, bindings), written)
  if (template.kind === 'expression') return evaluation.evaluate(template.expression)
  let whole = ''
  const max = evaluationContext.context.budget.limits.valueBytes
  for (const part of template.parts) {
    whole += typeof part === 'string' ? part : textOf(await evaluation.evaluate(part))
    if (whole.length > max) throw expressionWrong({ text: written, column: 1, reason: `it gives more than ${max} characters` })
  }
  evaluationContext.context.budget.make(whole.length)
  return text(whole)
}

/** What a chain tells a step: texts that begin with `expr:` are expressions, wherever they stand. */
export async function evaluateParameters(
  params: JsonObject,
  evaluationContext: EvaluationContext,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  for (const [name, json] of Object.entries(params)) values.set(name, await evaluated(json, evaluationContext))
  return values
}

async function evaluated(json: Json, evaluationContext: EvaluationContext): Promise<Value> {
  if (!hasExpressions(json)) return valueOfJson(json)
  if (typeof json === 'string') return evaluateTemplate(evaluationContext, json)
  if (Array.isArray(json)) return { kind: 'list', items: await evaluatedItems(json, evaluationContext) }
  const members = await evaluatedItems(Object.values(json as JsonObject), evaluationContext)
  return {
    kind: 'map',
    members: Object.fromEntries(Object.keys(json as JsonObject).map((name, index) => [name, members[index] as Value])),
  }
}

async function evaluatedItems(items: readonly Json[], evaluationContext: EvaluationContext): Promise<readonly Value[]> {
  const values: Value[] = []
  for (const item of items) values.push(await evaluated(item, evaluationContext))
  return values
}

export function hasExpressions(json: Json): boolean {
  if (typeof json === 'string') return isTemplate(json)
  return typeof json === 'object' && json !== null && Object.values(json).some(hasExpressions)
}
