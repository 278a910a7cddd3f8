import type { OperationContext } from '../../automation/context.ts'
import type { FindBinding } from '../../automation/expressions/evaluate.ts'
import { isConditionMet } from '../../automation/expressions/evaluate-condition.ts'
import { evaluateOperand } from '../../automation/expressions/evaluate-template.ts'
import { findItems, type Operand, plainValue, textOf } from '../../automation/expressions/operand.ts'
import { defineProblem } from '../../base/problem.ts'
import type { TemplatePiece } from './text-template.ts'

export const renderedTooLong = defineProblem(
  'renderedTooLong',
  'tooLarge',
  (of: { max: number }) => `What the template makes is longer than ${of.max} characters. Render fewer documents at once.`,
)

export const nothingToList = defineProblem(
  'nothingToList',
  'invalid',
  (of: { expression: string }) => `${of.expression.slice(0, 200)} in the template is no list.`,
)

type Bindings = ReadonlyMap<string, Operand>

/** How a kind of templates differs from those that chains render. */
export interface RenderingRules {
  /** What names mean, given the items of the lists around; what they mean in chains when absent. */
  readonly names?: (items: Bindings) => FindBinding
  /** A value as it is written into the result; to the letter when absent. */
  readonly written?: (text: string) => string
  /** Characters that the result may have; as many as a value of an expression when absent. */
  readonly longest?: number
}

interface Rendering {
  readonly context: OperationContext
  readonly rules: RenderingRules
  write(text: string): void
}

/** What a template makes of the input of the context. @throws expressionWrong, renderedTooLong, nothingToList, callTakesTooMuch */
export async function renderPieces(
  context: OperationContext,
  pieces: readonly TemplatePiece[],
  rules: RenderingRules = {},
): Promise<string> {
  const { longest: max = context.budget.limits.valueBytes } = rules
  const written: string[] = []
  let length = 0
  const write = (text: string) => {
    length += text.length
    if (length > max) throw renderedTooLong({ max })
    written.push(text)
  }
  await renderAll({ context, rules, write }, pieces, new Map())
  context.budget.make(length)
  return written.join('')
}

async function renderAll(rendering: Rendering, pieces: readonly TemplatePiece[], bindings: Bindings): Promise<void> {
  const { context, rules, write } = rendering
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'text':
        write(piece.text)
        break
      case 'value': {
        const text = textOf(await evaluateOperand(context, piece.expression, namesIn(rules, bindings)))
        write(rules.written?.(text) ?? text)
        break
      }
      case 'choice':
        await renderAll(rendering, await chosen(rendering, piece.branches, bindings), bindings)
        break
      case 'list':
        for (const item of await itemsOf(rendering, piece.expression, bindings)) {
          await context.budget.work(1)
          await renderAll(rendering, piece.pieces, new Map(bindings).set(piece.item, item))
        }
    }
  }
}

function namesIn({ names }: RenderingRules, bindings: Bindings): Bindings | FindBinding {
  return names?.(bindings) ?? bindings
}

async function chosen(
  { context, rules }: Rendering,
  branches: Extract<TemplatePiece, { readonly kind: 'choice' }>['branches'],
  bindings: Bindings,
): Promise<readonly TemplatePiece[]> {
  for (const { condition, pieces } of branches) {
    if (condition === undefined || (await isConditionMet(context, condition, namesIn(rules, bindings)))) return pieces
  }
  return []
}

async function itemsOf({ context, rules }: Rendering, expression: string, bindings: Bindings): Promise<readonly Operand[]> {
  const value = plainValue(await evaluateOperand(context, expression, namesIn(rules, bindings)))
  const items = value.kind === 'nothing' ? [] : findItems(value)
  if (items === undefined) throw nothingToList({ expression })
  return items
}
