import type { Json } from '../../base/json.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { OperationContext } from '../context.ts'
import { valueOfJson } from '../values/read-sent-properties.ts'
import type { Value } from '../values/value.ts'
import { bindingsOf } from './bindings.ts'
import { Evaluation, type FindBinding } from './evaluate.ts'
import { expressionWrong } from './expression-wrong.ts'
import { callsOut } from './functions.ts'
import { createHttp } from './http-calls.ts'
import { type Operand, plainValue, text, textOf } from './operand.ts'
import { isTemplate, parseTemplate } from './template.ts'

/** What a text of a chain says, with or without `expr:` before it (contract: operations 1.12). @throws expressionWrong */
export async function evaluateTemplate(
  context: OperationContext,
  written: string,
  bindings?: ReadonlyMap<string, Operand>,
): Promise<Value> {
  return plainValue(await evaluateOperand(context, written, bindings))
}

/** The names that an expression knows: those of chains and some more, or nothing but what is found by these. */
export type KnownNames = ReadonlyMap<string, Operand> | FindBinding

/** The same as an operand, whose members can still be read. */
export async function evaluateOperand(
  context: OperationContext,
  written: string,
  names: KnownNames = new Map(),
): Promise<Operand> {
  const template = parseTemplate(written)
  const find = typeof names === 'function' ? names : bindingsOf(context, names)
  const evaluation = new Evaluation(context, find, written)
  if (template.kind === 'expression') return evaluation.evaluate(template.expression)
  let whole = ''
  const max = context.budget.limits.valueBytes
  for (const part of template.parts) {
    whole += typeof part === 'string' ? part : textOf(await evaluation.evaluate(part))
    if (whole.length > max) throw expressionWrong({ text: written, column: 1, reason: `it gives more than ${max} characters` })
  }
  context.budget.make(whole.length)
  return text(whole)
}

/** What a chain tells a step: texts that begin with `expr:` are expressions, wherever they stand. */
export async function evaluateParameters(params: JsonObject, context: OperationContext): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  for (const [name, json] of Object.entries(params)) values.set(name, await evaluated(json, context))
  return values
}

async function evaluated(json: Json, context: OperationContext): Promise<Value> {
  if (!hasExpressions(json)) return valueOfJson(json)
  if (typeof json === 'string')
    return evaluateTemplate(context, json, callsOut(json) ? new Map([['HTTP', createHttp(context)]]) : undefined)
  if (Array.isArray(json)) return { kind: 'list', items: await evaluatedItems(json, context) }
  const members = await evaluatedItems(Object.values(json as JsonObject), context)
  return {
    kind: 'map',
    members: Object.fromEntries(Object.keys(json as JsonObject).map((name, index) => [name, members[index] as Value])),
  }
}

async function evaluatedItems(items: readonly Json[], context: OperationContext): Promise<readonly Value[]> {
  const values: Value[] = []
  for (const item of items) values.push(await evaluated(item, context))
  return values
}

export function hasExpressions(json: Json): boolean {
  if (typeof json === 'string') return isTemplate(json)
  return typeof json === 'object' && json !== null && Object.values(json).some(hasExpressions)
}
