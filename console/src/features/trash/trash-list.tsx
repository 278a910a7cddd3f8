import { ArchiveRestore, Flame, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Sort } from '../../api/documents.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog/question.tsx'
import { Message } from '../../ui/message.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { DocumentList, PlaceOf } from '../lists/document-list.tsx'
import type { PlacedDocument } from '../lists/use-documents-where.ts'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { trashedAt } from './trashed-at.ts'
import { type Leave, useRemove, useRestore } from './use-trash.ts'
import { useTrashWords } from './words.ts'

export interface TrashListProps {
  readonly condition: string
  readonly toolbar?: ReactNode
}

const lastTrashedFirst: Sort = { by: 'dc:modified', order: 'desc' }

/** What is in the trash, to be restored or removed for good. */
export function TrashList({ condition, toolbar }: TrashListProps) {
  const say = useTrashWords()
  const [asked, setAsked] = useState<readonly string[]>([])
  return (
    <>
      <DocumentList
        label={say('list')}
        condition={condition}
        columns={useTrashColumns()}
        sort={lastTrashedFirst}
        actions={trashActions}
        toolbar={toolbar}
        onDelete={setAsked}
        empty={
          <Message icon={Trash2} title={say('nothing')}>
            <p>{say('nothingHint')}</p>
          </Message>
        }
      />
      <RemoveQuestion ids={asked} onClose={() => setAsked([])} />
    </>
  )
}

function RestoreAction({ ids, onDone }: SelectionActionProps) {
  const say = useTrashWords()
  const restore = useRestore()
  return (
    <Button
      onPress={() => {
        restore(ids)
        onDone()
      }}
    >
      <ArchiveRestore size={16} aria-hidden />
      {say('restore')}
    </Button>
  )
}

function RemoveAction({ ids, onDone }: SelectionActionProps) {
  const say = useTrashWords()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onPress={() => setAsking(true)}>
        <Flame size={16} aria-hidden />
        {say('remove')}
      </Button>
      <RemoveQuestion
        ids={isAsking ? ids : []}
        onClose={() => setAsking(false)}
        leave={async () => {
          onDone()
        }}
      />
    </>
  )
}

const trashActions = [RestoreAction, RemoveAction]

interface RemoveQuestionProps {
  /** Nothing is asked while there are none. */
  readonly ids: readonly string[]
  onClose(): void
  readonly leave?: Leave
}

/** Asks before documents are removed for good. */
export function RemoveQuestion({ ids, onClose, leave }: RemoveQuestionProps) {
  const say = useTrashWords()
  const remove = useRemove(leave)
  return (
    <Question
      title={say('removeTitle', { count: ids.length })}
      isOpen={ids.length > 0}
      isDangerous
      confirmLabel={say('remove')}
      cancelLabel={say('cancel')}
      onClose={onClose}
      onConfirm={() => {
        remove(ids)
        onClose()
      }}
    >
      <p>{say('removeHint')}</p>
    </Question>
  )
}

function useTrashColumns(): readonly Column<PlacedDocument>[] {
  const say = useTrashWords()
  const { ago } = useFormats()
  return [
    {
      id: 'dc:title',
      label: say('name'),
      width: 'minmax(0, 3fr)',
      isSortable: true,
      render: (row) => <DocumentLink document={row} />,
    },
    { id: 'ecm:path', label: say('place'), width: 'minmax(0, 2fr)', isMinor: true, render: (row) => <PlaceOf row={row} /> },
    { id: 'when', label: say('when'), width: '130px', render: ({ path }) => ago(trashedAt(path)) },
  ]
}
