import { Flame } from 'lucide-react'
import { useState } from 'react'
import { runOperationAlone, useDocumentChange } from '../../api/changes.ts'
import { quote } from '../../api/documents.ts'
import { type Document, isAllowed, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog/question.tsx'
import { tell } from '../../ui/toasts.tsx'
import { TrashList } from './trash-list.tsx'
import { useTrashWords } from './words.ts'

/** What was removed from one folder. */
export function FolderTrash({ document: folder }: { readonly document: Document }) {
  const inIt = `ecm:parentId = ${quote(folder.uid)} AND ecm:isTrashed = 1 AND ecm:isVersion = 0`
  return (
    <TrashList
      condition={`${inIt} AND ecm:mixinType != 'HiddenInNavigation'`}
      toolbar={isAllowed(folder, 'RemoveChildren') ? <EmptyButton folder={folder} /> : null}
    />
  )
}

function EmptyButton({ folder }: { readonly folder: Document }) {
  const say = useTrashWords()
  const [isAsking, setAsking] = useState(false)
  const empty = useDocumentChange((id: string) => runOperationAlone('Document.EmptyTrash', { parent: id }))
  return (
    <>
      <Button onPress={() => setAsking(true)}>
        <Flame size={16} aria-hidden />
        {say('empty')}
      </Button>
      <Question
        title={say('emptyTitle', { folder: titleOf(folder) })}
        isOpen={isAsking}
        isDangerous
        isPending={empty.isPending}
        confirmLabel={say('empty')}
        cancelLabel={say('cancel')}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          empty.mutate(folder.uid, {
            onSuccess: () => tell({ text: say('emptied', { folder: titleOf(folder) }) }),
            onError: ({ message }) => tell({ kind: 'problem', text: message }),
            onSettled: () => setAsking(false),
          })
        }
      >
        <p>{say('removeHint')}</p>
      </Question>
    </>
  )
}
