import { defineProblem } from '../../base/problem.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { toDocument } from '../values/convert-value.ts'
import type { OperationContext } from './context.ts'

const variable = 'currentDocument'

export const currentDocumentMissing = defineProblem(
  'currentDocumentMissing',
  'invalid',
  (_: object) =>
    `The operation works on the document in the context variable ${variable}, and there is none. Send its path or id there.`,
)

/** The document that a client sends in the context, beside the files that are the input. @throws currentDocumentMissing, documentNotFound */
export async function readCurrentDocument(session: Session, context: OperationContext): Promise<Document> {
  const value = context.variables.get(variable)
  if (value === undefined || value.kind === 'nothing') throw currentDocumentMissing({})
  return toDocument({ session, context }, value)
}
