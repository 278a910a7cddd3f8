import { defineOperation, type Operation, type OperationCall } from '../../automation/operation.ts'
import type { ParametersOf, ParameterTable } from '../../automation/parameter.ts'
import { applyChanges, saveParameter } from '../../automation/unsaved-changes.ts'
import type { PropertyChanges } from '../../core/documents/save-document.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

interface Edit<Table extends ParameterTable> {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly description: string
  readonly params: Table
  /** What the edit comes to, whatever the document is by the time it is saved. */
  edit(document: Document, call: OperationCall<ParametersOf<Table>, WriteSession>): PropertyChanges | Promise<PropertyChanges>
}

/** Declares an operation that changes properties of documents, and saves them or leaves that to a later step. */
export function defineEdit<const Table extends ParameterTable>({ params, edit, ...about }: Edit<Table>): Operation {
  return defineOperation({
    ...about,
    category: 'Document',
    effect: 'writes',
    params: { ...params, save: saveParameter },
    run: ({ each }) => [
      each('document', 'document', async (document, call) => {
        const changes = await edit(document, call as OperationCall<ParametersOf<Table>, WriteSession>)
        return applyChanges(call.context, document, changes, { save: (call.params as { save: boolean }).save })
      }),
    ],
  })
}
