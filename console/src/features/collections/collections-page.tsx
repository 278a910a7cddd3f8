import { useNavigate } from '@tanstack/react-router'
import { Layers, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import type { Sort } from '../../api/documents.ts'
import { type Document, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { DocumentList } from '../lists/document-list.tsx'
import { ShelfPage } from '../lists/shelf-page.tsx'
import { TrashAction } from '../trash/trash-action.tsx'
import { useTrash } from '../trash/use-trash.ts'
import { collectionsCondition, createCollection } from './use-collections.ts'
import { useCollectionWords } from './words.ts'

const lastChangedFirst: Sort = { by: 'dc:modified', order: 'desc' }
const actions = [TrashAction]

/** All collections that one can see. */
export function CollectionsPage() {
  const say = useCollectionWords()
  const trash = useTrash()
  return (
    <ShelfPage title={say('title')} hint={say('hint')}>
      <DocumentList
        label={say('title')}
        condition={collectionsCondition}
        columns={useCollectionColumns()}
        sort={lastChangedFirst}
        actions={actions}
        onDelete={trash}
        toolbar={<NewCollection />}
        empty={
          <Message icon={Layers} title={say('nothing')}>
            <p>{say('nothingHint')}</p>
          </Message>
        }
      />
    </ShelfPage>
  )
}

function NewCollection() {
  const say = useCollectionWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {say('new')}
      </Button>
      <Dialog title={say('new')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewCollectionForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewCollectionForm({ onClose }: { readonly onClose: () => void }) {
  const say = useCollectionWords()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [mistake, setMistake] = useState<string>()
  const create = useDocumentChange(createCollection)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { name: name.trim(), description: description.trim() },
      {
        onSuccess: ({ title, path }) => {
          tell({ text: say('created', { name: title }) })
          onClose()
          void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })
        },
        onError: ({ message }) => setMistake(message),
      },
    )
  }
  return (
    <form onSubmit={submit} style={{ display: 'contents' }}>
      <TextField label={say('name')} value={name} onChange={setName} mistake={mistake} autoFocus maxLength={200} />
      <TextField label={say('description')} lines="several" value={description} onChange={setDescription} />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={name.trim() === ''} isPending={create.isPending}>
          {say('create')}
        </Button>
      </DialogActions>
    </form>
  )
}

function useCollectionColumns(): readonly Column<Document>[] {
  const say = useCollectionWords()
  const { ago } = useFormats()
  return [
    {
      id: 'dc:title',
      label: say('name'),
      width: 'minmax(120px, 2fr)',
      isSortable: true,
      render: (row) => <DocumentLink document={row} />,
    },
    {
      id: 'dc:description',
      label: say('description'),
      width: 'minmax(0, 3fr)',
      isMinor: true,
      render: (row) => propertyOf(row, 'dc:description'),
    },
    { id: 'dc:creator', label: say('owner'), width: '140px', isMinor: true, render: (row) => propertyOf(row, 'dc:creator') },
    {
      id: 'dc:modified',
      label: say('changed'),
      width: '130px',
      isSortable: true,
      render: (row) => ago(propertyOf(row, 'dc:modified')),
    },
  ]
}
