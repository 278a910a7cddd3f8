import { useDocumentChange } from '../../api/changes.ts'
import { type Document, isAllowed, isFolder, titleOf } from '../../api/types.ts'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { copyInto, moveInto, type Pasted } from './paste.ts'
import { useClipboard } from './use-clipboard.ts'
import { useClipboardWords } from './words.ts'

export function canPasteInto(folder: Document): boolean {
  return isFolder(folder) && !folder.isTrashed && isAllowed(folder, 'AddChildren')
}

/** Brings what is on the clipboard into a folder, tells of it and offers to take it back. */
export function usePaste(folder: Document) {
  const say = useClipboardWords()
  const { ids, isCut, clear } = useClipboard()
  const copy = useDocumentChange((folderId: string) => copyInto(ids, folderId))
  const move = useDocumentChange((folderId: string) => moveInto(ids, folderId))
  const undo = useDocumentChange(({ undo: run }: Pasted) => run())
  const tellOf = (word: 'copied' | 'moved', pasted: Pasted) =>
    tell({
      text: say(word, { count: pasted.count, folder: titleOf(folder) }),
      action: { label: say('undo'), run: () => told(undo.mutateAsync(pasted), () => tell({ text: say('undone') })) },
    })
  const paste = (how: 'copy' | 'move' = isCut ? 'move' : 'copy') => {
    if (how === 'copy') return told(copy.mutateAsync(folder.uid), (pasted) => tellOf('copied', pasted))
    told(move.mutateAsync(folder.uid), (pasted) => {
      clear()
      tellOf('moved', pasted)
    })
  }
  return { ids, paste, isPending: copy.isPending || move.isPending }
}
