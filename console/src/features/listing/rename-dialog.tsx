import { type FormEvent, useState } from 'react'
import { changeDocument, useDocumentChange } from '../../api/changes.ts'
import { readDocument } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useListingWords } from './words.ts'

/** Gives a document another title, and offers to take that back. */
export function RenameDialog({ document, onClose }: { readonly document: Document; readonly onClose: () => void }) {
  const say = useListingWords()
  const [title, setTitle] = useState(document.title)
  const [mistake, setMistake] = useState<string>()
  const rename = useDocumentChange((next: string) => changeDocument({ document, properties: { 'dc:title': next } }))
  const undo = useDocumentChange(async () => {
    const { uid, changeToken } = await readDocument({ id: document.uid })
    return changeDocument({ document: { uid, changeToken }, properties: { 'dc:title': document.title } })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = title.trim()
    if (next === '') return setMistake(say('needsTitle'))
    if (next === document.title) return onClose()
    rename.mutate(next, {
      onSuccess: () => {
        tell({
          text: say('renamed', { title: next }),
          action: {
            label: say('undo'),
            run: () => undo.mutate(undefined, { onError: ({ message }) => tell({ kind: 'problem', text: message }) }),
          },
        })
        onClose()
      },
      onError: ({ message }) => setMistake(message),
    })
  }
  return (
    <Dialog title={say('rename')} isOpen onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 'var(--space-4)' }}>
        <LeaveQuestion isAsked={title !== document.title} />
        <TextField label={say('title')} value={title} onChange={setTitle} mistake={mistake} autoFocus maxLength={500} />
        <DialogActions>
          <Button onPress={onClose}>{say('cancel')}</Button>
          <Button look="main" type="submit" isPending={rename.isPending}>
            {say('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
