import { useQuery } from '@tanstack/react-query'
import { ClipboardList, ClipboardX, EyeOff } from 'lucide-react'
import { documentKeys } from '../../api/documents.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Note } from '../../ui/note.tsx'
import { AddToCollectionAction } from '../collections/add-to-collection.tsx'
import { FavoriteAction } from '../favorites/favorite-action.tsx'
import { DocumentList } from '../lists/document-list.tsx'
import { ShelfPage } from '../lists/shelf-page.tsx'
import { DownloadAction } from '../renditions/download-action.tsx'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { amongIds, readAll } from './paste.ts'
import { useClipboard } from './use-clipboard.ts'
import { useClipboardWords } from './words.ts'

/** What one has put aside to copy or move. */
export function ClipboardPage() {
  const say = useClipboardWords()
  const { ids, remove, clear } = useClipboard()
  return (
    <ShelfPage title={say('title')} hint={say('hint')}>
      {ids.length === 0 ? (
        <Message icon={ClipboardList} title={say('nothing')}>
          <p>{say('nothingHint')}</p>
        </Message>
      ) : (
        <DocumentList
          label={say('title')}
          condition={amongIds(ids)}
          actions={actions}
          onDelete={remove}
          toolbar={
            <Button onPress={clear}>
              <ClipboardX size={16} aria-hidden />
              {say('clear')}
            </Button>
          }
          note={<GoneNote ids={ids} onForget={remove} />}
          empty={<Message icon={ClipboardList} title={say('nothing')} />}
        />
      )}
    </ShelfPage>
  )
}

/** Says of what is on the clipboard and cannot be shown that it is so. */
function GoneNote({ ids, onForget }: { readonly ids: readonly string[]; onForget(ids: readonly string[]): void }) {
  const say = useClipboardWords()
  const { data } = useQuery({
    queryKey: [...documentKeys.all, 'clipboard', ids],
    queryFn: ({ signal }) => readAll(ids, signal),
  })
  const gone = data === undefined ? [] : ids.filter((id) => !data.some(({ uid }) => uid === id))
  if (gone.length === 0) return null
  return (
    <Note icon={EyeOff} title={say('gone', { count: gone.length })}>
      <Button onPress={() => onForget(gone)}>{say('forget')}</Button>
    </Note>
  )
}

function TakeOffAction({ ids, onDone }: SelectionActionProps) {
  const say = useClipboardWords()
  const { remove } = useClipboard()
  return (
    <Button
      onPress={() => {
        remove(ids)
        onDone()
      }}
    >
      <ClipboardX size={16} aria-hidden />
      <span className="wide-only">{say('remove')}</span>
    </Button>
  )
}

const actions = [TakeOffAction, AddToCollectionAction, FavoriteAction, DownloadAction]
