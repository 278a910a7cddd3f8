import { useNavigate } from '@tanstack/react-router'
import { ClipboardList, ClipboardPaste, Copy, FolderInput } from 'lucide-react'
import { useDocumentChange } from '../../api/changes.ts'
import { type Document, isAllowed, isFolder } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { copyInto, moveInto, type Pasted } from './paste.ts'
import { useClipboard } from './use-clipboard.ts'
import { useClipboardWords } from './words.ts'

/** Brings what is on the clipboard into the folder that one looks at; there while there is something. */
export function PasteMenu({ document: folder }: { readonly document: Document }) {
  const say = useClipboardWords()
  const navigate = useNavigate()
  const { ids, clear } = useClipboard()
  const copy = useDocumentChange((folderId: string) => copyInto(ids, folderId))
  const move = useDocumentChange((folderId: string) => moveInto(ids, folderId))
  const undo = useDocumentChange(({ undo: run }: Pasted) => run())
  if (ids.length === 0 || !isFolder(folder) || folder.isTrashed || !isAllowed(folder, 'AddChildren')) return null
  const tellOf = (word: 'copied' | 'moved', pasted: Pasted) =>
    tell({
      text: say(word, { count: pasted.count, folder: folder.title }),
      action: { label: say('undo'), run: () => told(undo.mutateAsync(pasted), () => tell({ text: say('undone') })) },
    })
  return (
    <Menu
      trigger={
        <Button look="quiet" isPending={copy.isPending || move.isPending}>
          <ClipboardPaste size={16} aria-hidden />
          {say('paste', { count: ids.length })}
        </Button>
      }
    >
      <MenuItem
        textValue={say('copyHere')}
        onAction={() => told(copy.mutateAsync(folder.uid), (pasted) => tellOf('copied', pasted))}
      >
        <Copy size={16} aria-hidden />
        {say('copyHere')}
      </MenuItem>
      <MenuItem
        textValue={say('moveHere')}
        onAction={() =>
          told(move.mutateAsync(folder.uid), (pasted) => {
            clear()
            tellOf('moved', pasted)
          })
        }
      >
        <FolderInput size={16} aria-hidden />
        {say('moveHere')}
      </MenuItem>
      <MenuItem textValue={say('show')} onAction={() => void navigate({ to: '/clipboard' })}>
        <ClipboardList size={16} aria-hidden />
        {say('show')}
      </MenuItem>
    </Menu>
  )
}
