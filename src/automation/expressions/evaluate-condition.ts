import type { Document } from '../../model/document.ts'
import type { OperationContext } from '../context.ts'
import { evaluateOperand, type KnownNames } from './evaluate-template.ts'
import { expressionWrong } from './expression-wrong.ts'
import { findTruth } from './operand.ts'

/** Whether an expression holds for a document, which is `Document` in it. @throws expressionWrong */
export function evaluateCondition(context: OperationContext, document: Document, condition: string): Promise<boolean> {
  return isConditionMet(context.on({ kind: 'document', document }), condition)
}

/** Whether an expression holds, with some more names in it, or others. @throws expressionWrong */
export async function isConditionMet(context: OperationContext, condition: string, names?: KnownNames): Promise<boolean> {
  const isMet = findTruth(await evaluateOperand(context, condition, names))
  if (isMet === undefined) throw expressionWrong({ text: condition, column: 1, reason: 'it gives neither true nor false' })
  return isMet
}
