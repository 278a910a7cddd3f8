import { type FormEvent, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { useLanguage } from '../../words/words.ts'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { told } from '../problems/told.ts'
import styles from './quota.module.css'
import { recount, setQuota } from './quota-changes.ts'
import { parseSize, sizeText } from './size-text.ts'
import { useQuotaWords } from './words.ts'

export interface QuotaDialogProps {
  readonly document: Document
  onClose(): void
}

export function QuotaDialog({ document, onClose }: QuotaDialogProps) {
  const say = useQuotaWords()
  return (
    <Dialog title={say('title', { title: titleOf(document) })} isOpen onClose={onClose}>
      <p className={styles.quiet}>{say('hint')}</p>
      <QuotaForm document={document} onClose={onClose} />
    </Dialog>
  )
}

/** What is no size is said here; what else is wrong with it, by the server. */
function QuotaForm({ document: { uid, path, contextParameters }, onClose }: QuotaDialogProps) {
  const say = useQuotaWords()
  const language = useLanguage()
  const { size } = useFormats()
  const quota = contextParameters?.quota
  const before = quota ? sizeText(quota.maxSize, language) : ''
  const [text, setText] = useState(before)
  const [mistake, setMistake] = useState<string>()
  const change = useDocumentChange(setQuota)
  const save = (max: number, done: string) =>
    change.mutateAsync({ id: uid, max }).then(
      () => {
        tell({ text: done })
        onClose()
      },
      ({ message }: Error) => setMistake(message),
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const max = parseSize(text)
    if (max === undefined) return setMistake(say('noSize'))
    void save(max, max === 0 ? say('savedWithoutLimit') : say('saved', { max: size(max) }))
  }
  const countAnew = () => told(recount(path ?? '/'), () => tell({ text: say('recounting') }))
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      <LeaveQuestion isAsked={text !== before && !change.isPending} />
      <TextField
        label={say('size')}
        hint={say('sizeHint')}
        value={text}
        onChange={(next) => {
          setText(next)
          setMistake(undefined)
        }}
        mistake={mistake}
        maxLength={40}
        autoFocus
      />
      <DialogActions>
        {quota ? (
          <span className={styles.others}>
            <Button look="quiet" onPress={countAnew}>
              {say('recount')}
            </Button>
            <Button look="quiet" onPress={() => void save(-1, say('lifted'))}>
              {say('lift')}
            </Button>
          </span>
        ) : null}
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={text.trim() === '' || text === before} isPending={change.isPending}>
          {say('save')}
        </Button>
      </DialogActions>
    </form>
  )
}
