import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useSavedSearchWords } from './words.ts'

export interface NameDialogProps {
  readonly title: string
  readonly name: string
  /** Gives what is wrong with it, if anything is. */
  onName(name: string): Promise<void>
  onClose(): void
}

/** Asks what a search is to be called. */
export function NameDialog({ title, name, onName, onClose }: NameDialogProps) {
  const say = useSavedSearchWords()
  const [text, setText] = useState(name)
  const [mistake, setMistake] = useState<string>()
  const [isPending, setPending] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return setMistake(say('needsName'))
    setPending(true)
    onName(text.trim())
      .then(onClose, ({ message }: Error) => setMistake(message))
      .finally(() => setPending(false))
  }
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 'var(--space-4)' }}>
        <LeaveQuestion isAsked={text !== name} />
        <TextField label={say('name')} value={text} onChange={setText} mistake={mistake} autoFocus maxLength={200} />
        <DialogActions>
          <Button onPress={onClose}>{say('cancel')}</Button>
          <Button look="main" type="submit" isPending={isPending}>
            {say('keep')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
