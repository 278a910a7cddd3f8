import { defineProblem } from '../../../base/problem.ts'
import type { Document } from '../../../model/document.ts'
import { hasPermission } from '../../permissions.ts'
import { isRetained, mayCleanRecords } from '../../record-cleaning.ts'
import type { WriteSession } from '../../session.ts'

export const underRetention = defineProblem('underRetention', 'conflict', (of: { id: string; descendant?: string | null }) =>
  of.descendant === undefined
    ? `Cannot remove ${of.id}, it is under retention / hold`
    : `Cannot remove ${of.id}, ${of.descendant === null ? 'a subdocument' : `subdocument ${of.descendant}`} is under retention / hold`,
)

/** Neither the document nor anything below it is kept by retention or hold. @throws underRetention */
export async function requireUnretained(session: WriteSession, document: Document): Promise<void> {
  const { id, path } = document
  if (isRetained(session, document)) throw underRetention({ id })
  if (path === null || mayCleanRecords(session)) return
  const retained = await session.tx.documents.findRetained(path, session.now)
  if (retained === undefined) return
  // Named as far as the caller may see it.
  throw underRetention({ id, descendant: (await hasPermission(session, retained, 'Read')) ? retained.id : null })
}
