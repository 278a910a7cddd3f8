import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { createDocument, useDocumentChange } from '../../api/changes.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useTypeNames } from '../documents/type-words.ts'
import { nameFor } from './name-for.ts'
import { useCreateWords } from './words.ts'

/** Creates a document of a type that the folder takes; not there where it takes none. */
export function CreateButton({ folder }: { readonly folder: Document }) {
  const say = useCreateWords()
  const [isOpen, setOpen] = useState(false)
  const types = (folder.contextParameters?.subtypes ?? []).filter(({ facets }) => !facets.includes('HiddenInCreation'))
  const offered =
    types.length === 0
      ? []
      : [{ id: 'create', label: say('title', { folder: folder.title }), icon: Plus, run: () => setOpen(true) }]
  useCommands(offered)
  if (types.length === 0) return null
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {say('new')}
      </Button>
      <Dialog title={say('title', { folder: folder.title })} isOpen={isOpen} onClose={() => setOpen(false)}>
        <CreateForm folder={folder} types={types.map(({ type }) => type)} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

interface CreateFormProps {
  readonly folder: Document
  readonly types: readonly string[]
  onClose(): void
}

function CreateForm({ folder, types, onClose }: CreateFormProps) {
  const say = useCreateWords()
  const typeName = useTypeNames()
  const [type, setType] = useState(types.includes('File') ? 'File' : (types[0] ?? ''))
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [mistake, setMistake] = useState<string>()
  const create = useDocumentChange(createDocument)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() === '') return setMistake(say('needsTitle'))
    const properties = { 'dc:title': title.trim(), ...(description !== '' && { 'dc:description': description }) }
    create.mutate(
      { parentId: folder.uid, type, name: nameFor(title), properties },
      {
        onSuccess: (made) => {
          tell({ text: say('created', { title: made.title }) })
          onClose()
        },
        onError: ({ message }) => setMistake(message),
      },
    )
  }
  const options = types
    .map((value) => ({ value, label: typeName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 'var(--space-4)' }}>
      <Choice label={say('type')} value={type} options={options} onChange={setType} />
      <TextField label={say('name')} value={title} onChange={setTitle} mistake={mistake} autoFocus maxLength={500} />
      <TextField label={say('description')} lines="several" value={description} onChange={setDescription} />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isPending={create.isPending}>
          {say('create')}
        </Button>
      </DialogActions>
    </form>
  )
}
