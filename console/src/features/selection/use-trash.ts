import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { tell } from '../../ui/toasts.tsx'
import { useSelectionWords } from './words.ts'

/** Puts documents into the trash, and offers to take that back. */
export function useTrash(): (ids: readonly string[]) => void {
  const say = useSelectionWords()
  const trash = useDocumentChange((ids: readonly string[]) => runOperation('Document.Trash', ids))
  const untrash = useDocumentChange((ids: readonly string[]) => runOperation('Document.Untrash', ids))
  const onError = ({ message }: Error) => tell({ kind: 'problem', text: message })
  return (ids) =>
    trash.mutate(ids, {
      onSuccess: () =>
        tell({
          text: say('trashed', { count: ids.length }),
          action: { label: say('undo'), run: () => untrash.mutate(ids, { onError }) },
        }),
      onError,
    })
}
