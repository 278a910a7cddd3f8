import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FolderHeart, Layers, Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { createCollection, idOfNew, suggestedCollectionsQuery, useMembership } from './use-collections.ts'
import { useCollectionWords } from './words.ts'

/** Puts what is selected into a collection. */
export function AddToCollectionAction({ ids, onDone }: SelectionActionProps) {
  const say = useCollectionWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Layers size={16} aria-hidden />
        <span className="wide-only">{say('add')}</span>
      </Button>
      <AddToCollectionDialog ids={ids} isOpen={isOpen} onClose={() => setOpen(false)} onDone={onDone} />
    </>
  )
}

interface AddToCollectionDialogProps {
  readonly ids: readonly string[]
  readonly isOpen: boolean
  onClose(): void
  onDone?(): void
}

/** Asks for a collection, and puts documents into it. */
export function AddToCollectionDialog({ ids, isOpen, onClose, onDone }: AddToCollectionDialogProps) {
  const say = useCollectionWords()
  return (
    <Dialog title={say('addTitle', { count: ids.length })} isOpen={isOpen} onClose={onClose}>
      <CollectionPicker onCancel={onClose} onPick={onClose} ids={ids} onDone={onDone} />
    </Dialog>
  )
}

interface CollectionPickerProps {
  readonly ids: readonly string[]
  onCancel(): void
  onPick(): void
  onDone?(): void
}

/** A collection by its name; one that there is not yet is made. */
function CollectionPicker({ ids, onCancel, onPick, onDone }: CollectionPickerProps) {
  const say = useCollectionWords()
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState<string>()
  const term = useDeferredValue(text)
  const { data = [], error } = useQuery({ ...suggestedCollectionsQuery(term), placeholderData: keepPreviousData })
  const make = useDocumentChange(createCollection)
  const { add } = useMembership()

  const pick = (collection: Pick<Document, 'uid' | 'title' | 'path'>) => {
    add({ ids, collection })
    onPick()
    onDone?.()
  }
  const choose = (id: string) => {
    if (id.startsWith(idOfNew)) makeNew(id.slice(idOfNew.length))
    else {
      const found = data.find((one) => one.id === id)
      pick({ uid: id, title: found?.displayLabel ?? '', path: found?.path ?? null })
    }
  }
  const makeNew = (name: string) => make.mutate({ name }, { onSuccess: pick, onError: ({ message }) => setMistake(message) })
  const enter = (name: string) => {
    const known = data.find((one) => one.displayLabel === name && one.id !== undefined && !one.id.startsWith(idOfNew))
    if (known?.id === undefined) makeNew(name)
    else choose(known.id)
  }
  const suggestions = data.flatMap(({ id, displayLabel, path }) =>
    id === undefined
      ? []
      : id.startsWith(idOfNew)
        ? [{ id, label: say('make', { name: displayLabel }), icon: Plus }]
        : [{ id, label: displayLabel, icon: FolderHeart, ...(path !== undefined && { hint: parentOf(path) }) }],
  )
  return (
    <>
      <SuggestField
        label={say('which')}
        placeholder={say('whichHint')}
        text={text}
        onText={(next) => {
          setText(next)
          setMistake(undefined)
        }}
        suggestions={suggestions}
        onChoose={choose}
        onEnter={enter}
        mistake={mistake ?? error?.message}
        longest={200}
        autoFocus
        opensAtOnce
      />
      <DialogActions>
        <Button onPress={onCancel}>{say('cancel')}</Button>
        <Button look="main" isDisabled={text.trim() === ''} isPending={make.isPending} onPress={() => enter(text.trim())}>
          {say('add')}
        </Button>
      </DialogActions>
    </>
  )
}

const parentOf = (path: string) => path.split('/').slice(1, -1).at(-1) ?? ''
