import type { Value } from '../values/value.ts'
import { bindingsOf } from './bindings.ts'
import { Evaluation } from './evaluate.ts'
import { expressionWrong } from './expression-wrong.ts'
import { type Operand, plainValue, type Surroundings, text, textOf } from './operand.ts'
import { parseTemplate } from './template.ts'

/** What a text of a chain says, with or without `expr:` before it (contract: operations 1.12). @throws expressionWrong */
export async function evaluateTemplate(surroundings: Surroundings, written: string): Promise<Value> {
  return plainValue(await evaluateOperand(surroundings, written))
}

/** The same for whoever still wants to look into it. */
export async function evaluateOperand(
  surroundings: Surroundings,
  written: string,
  bindings: ReadonlyMap<string, Value> = new Map(),
): Promise<Operand> {
  const template = parseTemplate(written)
  const evaluation = new Evaluation(surroundings, bindingsOf(surroundings, bindings), written)
  if (template.kind === 'expression') return evaluation.evaluate(template.expression)
  let whole = ''
  const most = surroundings.context.budget.limits.valueBytes
  for (const part of template.parts) {
    whole += typeof part === 'string' ? part : textOf(await evaluation.evaluate(part))
    if (whole.length > most) throw expressionWrong({ text: written, column: 1, reason: `it gives more than ${most} characters` })
  }
  surroundings.context.budget.make(whole.length)
  return text(whole)
}
