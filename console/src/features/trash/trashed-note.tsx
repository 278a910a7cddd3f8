import { useNavigate } from '@tanstack/react-router'
import { ArchiveRestore, Flame, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Note } from '../../ui/note.tsx'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { RemoveQuestion } from './trash-list.tsx'
import { useTrashWords } from './words.ts'

/** Says of a document that it is in the trash, and what can be done about that. */
export function TrashedNote({ document }: { readonly document: Document }) {
  const say = useTrashWords()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const untrash = useDocumentChange(async (id: string) => {
    const { path } = await runOperation<Document>('Document.Untrash', [id])
    // It lies at another address then.
    await navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })
  })
  if (!document.isTrashed) return null
  const restore = () => told(untrash.mutateAsync(document.uid), () => tell({ text: say('restored', { count: 1 }) }))
  return (
    <Note icon={Trash2} title={say('inTrash')} hint={say('inTrashHint')}>
      <Button onPress={restore} isPending={untrash.isPending}>
        <ArchiveRestore size={16} aria-hidden />
        {say('restore')}
      </Button>
      <Button look="danger" onPress={() => setAsking(true)}>
        <Flame size={16} aria-hidden />
        {say('remove')}
      </Button>
      <RemoveQuestion
        ids={isAsking ? [document.uid] : []}
        onClose={() => setAsking(false)}
        leave={() => navigate({ to: '/trash' })}
      />
    </Note>
  )
}
