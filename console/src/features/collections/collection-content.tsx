import { Layers } from 'lucide-react'
import { useMemo } from 'react'
import { type Document, isAllowed, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { AddToClipboardAction } from '../clipboard/add-to-clipboard.tsx'
import { FavoriteAction } from '../favorites/favorite-action.tsx'
import { DocumentList } from '../lists/document-list.tsx'
import { DownloadAction } from '../renditions/download-action.tsx'
import type { SelectionAction, SelectionActionProps } from '../selection/selection-action.ts'
import { AddToCollectionAction } from './add-to-collection.tsx'
import { membersOf, useMembership } from './use-collections.ts'
import { useCollectionWords } from './words.ts'

/** What is in a collection. */
export function CollectionContent({ collection }: { readonly collection: Document }) {
  const say = useCollectionWords()
  const { remove } = useMembership()
  const mayChange = isAllowed(collection, 'WriteProperties')
  const actions = useMemo<readonly SelectionAction[]>(
    () => [
      ...(mayChange ? [(props: SelectionActionProps) => <TakeOutAction collection={collection} {...props} />] : []),
      AddToCollectionAction,
      AddToClipboardAction,
      FavoriteAction,
      DownloadAction,
    ],
    [collection, mayChange],
  )
  return (
    <DocumentList
      label={say('members', { name: titleOf(collection) })}
      condition={membersOf(collection.uid)}
      actions={actions}
      {...(mayChange && { onDelete: (ids: readonly string[]) => remove({ ids, collection }) })}
      empty={
        <Message icon={Layers} title={say('empty')}>
          <p>{say('emptyHint')}</p>
        </Message>
      }
    />
  )
}

function TakeOutAction({ collection, ids, onDone }: SelectionActionProps & { readonly collection: Document }) {
  const say = useCollectionWords()
  const { remove } = useMembership()
  return (
    <Button
      onPress={() => {
        remove({ ids, collection })
        onDone()
      }}
    >
      <Layers size={16} aria-hidden />
      <span className="wide-only">{say('remove')}</span>
    </Button>
  )
}
