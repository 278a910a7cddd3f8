import { GitCommitVertical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { IncrementChoice } from './increment-choice.tsx'
import { makeVersion, nextLabels } from './use-versions.ts'
import styles from './versions.module.css'
import { useVersionWords } from './words.ts'

/** Keeps the document as it is, as its next version. */
export function NewVersionButton({ document }: { readonly document: Document }) {
  const say = useVersionWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <GitCommitVertical size={16} aria-hidden />
        {say('create')}
      </Button>
      <Dialog title={say('createTitle', { title: titleOf(document) })} isOpen={isOpen} onClose={() => setOpen(false)}>
        {document.isCheckedOut ? (
          <NewVersionForm document={document} onClose={() => setOpen(false)} />
        ) : (
          <>
            <p>{say('nothingChanged')}</p>
            <DialogActions>
              <Button onPress={() => setOpen(false)}>{say('cancel')}</Button>
            </DialogActions>
          </>
        )}
      </Dialog>
    </>
  )
}

const increments = ['minor', 'major'] as const

function NewVersionForm({ document, onClose }: { readonly document: Document; onClose(): void }) {
  const say = useVersionWords()
  const labels = nextLabels(document.versionLabel ?? '0.0')
  const offered = increments.map((value) => ({ value, label: say(value, { label: labels[value] }) }))
  const [increment, setIncrement] = useState<(typeof increments)[number]>('minor')
  const [comment, setComment] = useState('')
  const [mistake, setMistake] = useState<string>()
  const make = useDocumentChange(makeVersion)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Not with callbacks of `mutate`: the form goes as soon as the document is read anew.
    make.mutateAsync({ id: document.uid, increment, comment: comment.trim() }).then(
      () => {
        tell({ text: say('made', { label: labels[increment] }) })
        onClose()
      },
      ({ message }: Error) => setMistake(message),
    )
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      <LeaveQuestion isAsked={comment !== ''} />
      <p className={styles.quiet}>{say('createHint')}</p>
      <IncrementChoice legend={say('which')} options={offered} value={increment} onChange={setIncrement} />
      <TextField
        label={say('comment')}
        lines="several"
        value={comment}
        onChange={setComment}
        mistake={mistake}
        maxLength={1_000}
        autoFocus
      />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isPending={make.isPending}>
          {say('make')}
        </Button>
      </DialogActions>
    </form>
  )
}
