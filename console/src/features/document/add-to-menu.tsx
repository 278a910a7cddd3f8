import { ChevronDown, ClipboardList, Layers, ListPlus } from 'lucide-react'
import { useState } from 'react'
import { type Document, hasFacet } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useAddToClipboard } from '../clipboard/add-to-clipboard.tsx'
import { AddToCollectionDialog } from '../collections/add-to-collection.tsx'
import { useDocumentWords } from './words.ts'

/** Where else a document can be kept at hand: in a collection, on the clipboard. */
export function AddToMenu({ document }: { readonly document: Document }) {
  const say = useDocumentWords()
  const addToClipboard = useAddToClipboard()
  const [isCollecting, setCollecting] = useState(false)
  if (document.isTrashed || document.path === '/') return null
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet">
            <ListPlus size={16} aria-hidden />
            <span className="wide-only">{say('addTo')}</span>
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        {hasFacet(document, 'NotCollectionMember') ? null : (
          <MenuItem textValue={say('aCollection')} onAction={() => setCollecting(true)}>
            <Layers size={16} aria-hidden />
            {say('aCollection')}
          </MenuItem>
        )}
        <MenuItem textValue={say('theClipboard')} onAction={() => addToClipboard([document.uid])}>
          <ClipboardList size={16} aria-hidden />
          {say('theClipboard')}
        </MenuItem>
      </Menu>
      <AddToCollectionDialog ids={[document.uid]} isOpen={isCollecting} onClose={() => setCollecting(false)} />
    </>
  )
}
