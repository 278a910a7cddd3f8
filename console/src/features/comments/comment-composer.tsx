import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import styles from './comments.module.css'
import { useCommentWords } from './words.ts'

export interface CommentComposerProps {
  readonly label: string
  readonly sendLabel: string
  readonly before?: string
  /** Opened for this very purpose: the focus goes there, and it can be left. */
  onCancel?(): void
  /** Keeps the text until it was taken. */
  send(text: string): Promise<unknown>
}

const longest = 20_000

/** Where something is written; `Ctrl` or `⌘` with `Enter` sends it. */
export function CommentComposer({ label, sendLabel, before = '', onCancel, send }: CommentComposerProps) {
  const say = useCommentWords()
  const [text, setText] = useState(before)
  const [isPending, setPending] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const submit = async () => {
    if (text.trim() === '' || isPending) return
    setPending(true)
    setMistake(undefined)
    try {
      await send(text.trim())
      setText('')
    } catch (error) {
      setMistake(error instanceof Error ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
    // Who has written something leaves it by the button.
    else if (event.key === 'Escape' && text === before) onCancel?.()
  }
  return (
    <form
      className={styles.composer}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void submit()
      }}
    >
      <LeaveQuestion isAsked={text !== before} />
      <TextField
        label={label}
        lines="several"
        value={text}
        onChange={setText}
        onKeyDown={pressed}
        mistake={mistake}
        maxLength={longest}
        autoFocus={onCancel !== undefined}
      />
      {text === '' && onCancel === undefined ? null : (
        <div className={styles.send}>
          <Button look="main" type="submit" isPending={isPending} isDisabled={text.trim() === ''}>
            {sendLabel}
          </Button>
          {onCancel === undefined ? null : <Button onPress={onCancel}>{say('cancel')}</Button>}
        </div>
      )}
    </form>
  )
}
