import type { OperationContext } from '../context.ts'
import { nothing, type Value } from '../values/value.ts'
import { bindingsOf } from './bindings.ts'
import { Evaluation } from './evaluate.ts'
import { createHttp } from './http-calls.ts'
import { type Operand, plainValue, textOf } from './operand.ts'
import { parseScript } from './parse-expression.ts'
import type { Expression, Statement } from './syntax.ts'

/**
 * Runs statements with `;` between them and gives what the last one gives. A name that is set is known to those that follow;
 * `Context["name"] = …` sets a variable of the call, `map["name"] = …` an entry
 * of a map that one holds.
 * @throws expressionWrong
 */
export async function runScript(context: OperationContext, script: string): Promise<Value> {
  const names = new Map<string, Operand>([['HTTP', createHttp(context)]])
  const evaluation = new Evaluation(context, bindingsOf(context, names), script)
  let last: Operand = nothing
  for (const statement of parseScript(script)) last = await runStatement(context, evaluation, names, statement)
  return plainValue(last)
}

async function runStatement(
  context: OperationContext,
  evaluation: Evaluation,
  names: Map<string, Operand>,
  statement: Statement,
): Promise<Operand> {
  if (statement.kind === 'expression') return evaluation.evaluate(statement.expression)
  const value = await evaluation.evaluateToKeep(statement.value)
  if (statement.kind === 'assignment') names.set(statement.name, value)
  else {
    const of = await evaluation.evaluate(statement.of)
    const key = textOf(await evaluation.evaluate(statement.key))
    if (of.kind === 'host' && of.name === 'Context') context.variables.set(key, value)
    else setInVariable(context, evaluation, statement.of, key, value)
  }
  return value
}

/** `WorkflowVariables["name"] = …`: the variable then holds another map. */
function setInVariable(context: OperationContext, evaluation: Evaluation, of: Expression, key: string, value: Value): void {
  const variable = of.kind === 'name' ? context.variables.get(of.name) : undefined
  if (of.kind !== 'name' || variable?.kind !== 'map')
    throw evaluation.wrong(of, 'only items of Context, and of maps that it holds, can be set')
  context.variables.set(of.name, { kind: 'map', members: { ...variable.members, [key]: value } })
}
