import type { OperationContext } from '../../automation/context.ts'
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

/** What a template makes of the input of the context. @throws expressionWrong, renderedTooLong, nothingToList, callTakesTooMuch */
export async function renderPieces(context: OperationContext, pieces: readonly TemplatePiece[]): Promise<string> {
  const max = context.budget.limits.valueBytes
  const written: string[] = []
  let length = 0
  const write = (text: string) => {
    length += text.length
    if (length > max) throw renderedTooLong({ max })
    written.push(text)
  }
  await renderAll(context, pieces, new Map(), write)
  context.budget.make(length)
  return written.join('')
}

async function renderAll(
  context: OperationContext,
  pieces: readonly TemplatePiece[],
  bindings: Bindings,
  write: (text: string) => void,
): Promise<void> {
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'text':
        write(piece.text)
        break
      case 'value':
        write(textOf(await evaluateOperand(context, piece.expression, bindings)))
        break
      case 'choice':
        await renderAll(context, await chosen(context, piece.branches, bindings), bindings, write)
        break
      case 'list':
        for (const item of await itemsOf(context, piece.expression, bindings)) {
          await context.budget.work(1)
          await renderAll(context, piece.pieces, new Map(bindings).set(piece.item, item), write)
        }
    }
  }
}

async function chosen(
  context: OperationContext,
  branches: Extract<TemplatePiece, { readonly kind: 'choice' }>['branches'],
  bindings: Bindings,
): Promise<readonly TemplatePiece[]> {
  for (const { condition, pieces } of branches) {
    if (condition === undefined || (await isConditionMet(context, condition, bindings))) return pieces
  }
  return []
}

async function itemsOf(context: OperationContext, expression: string, bindings: Bindings): Promise<readonly Operand[]> {
  const value = plainValue(await evaluateOperand(context, expression, bindings))
  const items = value.kind === 'nothing' ? [] : findItems(value)
  if (items === undefined) throw nothingToList({ expression })
  return items
}
