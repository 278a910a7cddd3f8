import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { type Document, isAllowed } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { useTrash } from './use-trash.ts'
import { useTrashWords } from './words.ts'

/** Puts the document that one looks at into the trash, and goes where it lay. */
export function TrashButton({ document }: { readonly document: Document }) {
  const say = useTrashWords()
  const navigate = useNavigate()
  const above = (document.path ?? '').split('/').slice(1, -1).join('/')
  const trash = useTrash(() => navigate({ to: '/browse/$', params: { _splat: above } }))
  if (document.isTrashed || document.isProxy || document.path === '/' || !isAllowed(document, 'Remove')) return null
  return (
    <Button look="quiet" onPress={() => trash([document.uid])}>
      <Trash2 size={16} aria-hidden />
      <span className="wide-only">{say('trash')}</span>
    </Button>
  )
}
