import { removeDocument, runOperation, useDocumentChange } from '../../api/changes.ts'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { useTrashWords } from './words.ts'

type Ids = readonly string[]

/** Goes elsewhere when it is done and before anything is asked for anew: who looks at what is gone would be shown a refusal. */
export type Leave = () => Promise<unknown>

const put = (ids: Ids) => runOperation('Document.Trash', ids)
const takeOut = (ids: Ids) => runOperation('Document.Untrash', ids)

/** Puts documents into the trash, and offers to take that back. */
export function useTrash(leave?: Leave): (ids: Ids) => void {
  const say = useTrashWords()
  const trash = useDocumentChange(async (ids: Ids) => {
    await put(ids)
    await leave?.()
  })
  const untrash = useDocumentChange(takeOut)
  return (ids) =>
    told(trash.mutateAsync(ids), () => {
      const undo = { label: say('undo'), run: () => told(untrash.mutateAsync(ids)) }
      tell({ text: say('trashed', { count: ids.length }), action: undo })
    })
}

/** Takes documents out of the trash, and offers to put them back. */
export function useRestore(): (ids: Ids) => void {
  const say = useTrashWords()
  const untrash = useDocumentChange(takeOut)
  const trash = useDocumentChange(put)
  return (ids) =>
    told(untrash.mutateAsync(ids), () => {
      const undo = { label: say('undo'), run: () => told(trash.mutateAsync(ids)) }
      tell({ text: say('restored', { count: ids.length }), action: undo })
    })
}

/** Removes documents for good. Whoever calls it has asked before. */
export function useRemove(leave?: Leave): (ids: Ids) => void {
  const say = useTrashWords()
  // One after the other: what one of them takes with it may be another.
  const remove = useDocumentChange(async (ids: Ids) => {
    for (const id of ids) await removeDocument(id)
    await leave?.()
  })
  return (ids) => told(remove.mutateAsync(ids), () => tell({ text: say('removed', { count: ids.length }) }))
}
