import { useNavigate } from '@tanstack/react-router'
import { ClipboardList, ClipboardPaste, Copy, FolderInput } from 'lucide-react'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { canPasteInto, usePaste } from './use-paste.ts'
import { useClipboardWords } from './words.ts'

/** Brings what is on the clipboard into the folder that one looks at; there while there is something. */
export function PasteMenu({ document: folder }: { readonly document: Document }) {
  const say = useClipboardWords()
  const navigate = useNavigate()
  const { ids, paste, isPending } = usePaste(folder)
  if (ids.length === 0 || !canPasteInto(folder)) return null
  return (
    <Menu
      trigger={
        <Button look="quiet" isPending={isPending}>
          <ClipboardPaste size={16} aria-hidden />
          {say('paste', { count: ids.length })}
        </Button>
      }
    >
      <MenuItem textValue={say('copyHere')} onAction={() => paste('copy')}>
        <Copy size={16} aria-hidden />
        {say('copyHere')}
      </MenuItem>
      <MenuItem textValue={say('moveHere')} onAction={() => paste('move')}>
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
