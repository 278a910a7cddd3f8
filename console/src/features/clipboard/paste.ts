import { runOperation } from '../../api/changes.ts'
import { queryDocuments, quote } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { clipboardSize } from './clipboard.ts'

/** What was done, and how to take it back. */
export interface Pasted {
  readonly count: number
  undo(): Promise<void>
}

type Answer = Document | { readonly entries: readonly Document[] }

/** Operations give one document for one, and a list for several. */
const documentsIn = (answer: Answer): readonly Document[] => ('entries' in answer ? answer.entries : [answer])

/** @throws Problem */
export async function copyInto(ids: readonly string[], folderId: string): Promise<Pasted> {
  const copies = documentsIn(await runOperation<Answer>('Document.Copy', ids, { target: folderId }))
  const made = copies.map(({ uid }) => uid)
  return { count: made.length, undo: async () => void (await runOperation('Document.Trash', made)) }
}

/** @throws Problem */
export async function moveInto(ids: readonly string[], folderId: string): Promise<Pasted> {
  const before = await readAll(ids, new AbortController().signal)
  const moved = documentsIn(await runOperation<Answer>('Document.Move', ids, { target: folderId }))
  const undo = async () => {
    const byFolder = Map.groupBy(before, ({ parentRef }) => parentRef ?? '')
    for (const [parent, documents] of byFolder)
      await runOperation(
        'Document.Move',
        documents.map(({ uid }) => uid),
        { target: parent },
      )
  }
  return { count: moved.length, undo }
}

/** Those of the documents that one can see and that are not in the trash. @throws Problem */
export async function readAll(ids: readonly string[], signal: AbortSignal): Promise<readonly Document[]> {
  if (ids.length === 0) return []
  const { entries } = await queryDocuments(`SELECT * FROM Document WHERE ${amongIds(ids)}`, { pageSize: clipboardSize, signal })
  return entries
}

export function amongIds(ids: readonly string[]): string {
  return `ecm:uuid IN (${ids.map(quote).join(', ')}) AND ecm:isTrashed = 0`
}
