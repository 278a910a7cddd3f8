import { useQueryClient } from '@tanstack/react-query'
import { GitCommitVertical } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { IncrementChoice } from '../versions/increment-choice.tsx'
import { nextLabels, versionsQuery } from '../versions/use-versions.ts'
import styles from '../versions/versions.module.css'
import { type Increment, increments, takeSnapshot } from './snapshots.ts'
import { useSnapshotWords } from './words.ts'

/** Keeps a folder and all that is in it as they are. */
export function TakeSnapshotButton({ folder }: { readonly folder: Document }) {
  const say = useSnapshotWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <GitCommitVertical size={16} aria-hidden />
        {say('take')}
      </Button>
      <Dialog title={say('takeTitle', { title: titleOf(folder) })} isOpen={isOpen} onClose={() => setOpen(false)}>
        <TakeSnapshotForm folder={folder} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function TakeSnapshotForm({ folder, onClose }: { readonly folder: Document; onClose(): void }) {
  const say = useSnapshotWords()
  const queries = useQueryClient()
  const [increment, setIncrement] = useState<Increment>('MINOR')
  const take = useDocumentChange(takeSnapshot)
  const labels = labelsAfter(folder)
  const offered = increments.map((value) => ({ value, label: say(value, { label: labels[value] }) }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const known = queries.getQueryData(versionsQuery(folder.uid).queryKey)?.pages.flatMap(({ entries }) => entries) ?? []
    told(take.mutateAsync({ folder, increment }), ({ uid }) => {
      const isNew = known.every((version) => version.uid !== uid)
      tell({ text: isNew ? say('made', { label: labels[increment] }) : say('unchanged') })
      onClose()
    })
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      <p className={styles.quiet}>{say('takeHint')}</p>
      <IncrementChoice legend={say('which')} options={offered} value={increment} onChange={setIncrement} />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isPending={take.isPending}>
          {say('make')}
        </Button>
      </DialogActions>
    </form>
  )
}

function labelsAfter({ versionLabel }: Document): { readonly [Size in Increment]: string } {
  const { minor, major } = nextLabels(versionLabel ?? '0.0')
  return { MINOR: minor, MAJOR: major }
}
