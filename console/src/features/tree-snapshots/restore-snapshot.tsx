import { getRouteApi } from '@tanstack/react-router'
import { ArchiveRestore } from 'lucide-react'
import { useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog/question.tsx'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import styles from './snapshot-view.module.css'
import { restoreSnapshot } from './snapshots.ts'
import { useSnapshotWords } from './words.ts'

const route = getRouteApi('/browse/$')

/** Makes a folder and all that was in it what they were, once it is said what becomes of what is there now. */
export function RestoreSnapshotButton({ id, label }: { readonly id: string; readonly label: string }) {
  const say = useSnapshotWords()
  const navigate = route.useNavigate()
  const [isAsked, setAsked] = useState(false)
  const [createVersion, setCreateVersion] = useState(true)
  const [trashOthers, setTrashOthers] = useState(true)
  const restore = useDocumentChange(restoreSnapshot)
  const confirm = () =>
    told(
      restore.mutateAsync({ id, createVersion, trashOthers }).finally(() => setAsked(false)),
      () => {
        tell({ text: say('restored', { label }) })
        void navigate({ search: {} })
      },
    )
  return (
    <>
      <Button look="main" onPress={() => setAsked(true)}>
        <ArchiveRestore size={16} aria-hidden />
        {say('restore')}
      </Button>
      <Question
        title={say('restoreTitle', { label })}
        isOpen={isAsked}
        isPending={restore.isPending}
        confirmLabel={say('restore')}
        cancelLabel={say('cancel')}
        onClose={() => setAsked(false)}
        onConfirm={confirm}
      >
        <p>{say('restoreHint')}</p>
        <div className={styles.choices}>
          <Choice label={say('keep')} hint={say('keepHint')} isChosen={createVersion} onChange={setCreateVersion} />
          <Choice label={say('tidy')} hint={say('tidyHint')} isChosen={trashOthers} onChange={setTrashOthers} />
        </div>
      </Question>
    </>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly hint: string
  readonly isChosen: boolean
  onChange(isChosen: boolean): void
}

function Choice({ label, hint, isChosen, onChange }: ChoiceProps) {
  return (
    <label>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  )
}
