import { useQuery } from '@tanstack/react-query'
import { Lock, LockOpen } from 'lucide-react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { meQuery } from '../../api/documents.ts'
import { type Document, isAllowed } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Note } from '../../ui/note.tsx'
import { tell } from '../../ui/toasts.tsx'
import { usePersonName } from '../people/person.tsx'
import { told } from '../problems/told.ts'
import { useLockWords } from './words.ts'

/** Says of a document who has locked it: for everybody else there is nothing to change it with. */
export function LockedNote({ document }: { readonly document: Document }) {
  const { lockOwner } = document
  return lockOwner === undefined ? null : <LockedBy document={document} owner={lockOwner} />
}

function LockedBy({ document, owner }: { readonly document: Document; readonly owner: string }) {
  const say = useLockWords()
  const name = usePersonName(owner)
  const { data: me } = useQuery(meQuery)
  const unlock = useDocumentChange((id: string) => runOperation<Document>('Document.Unlock', [id]))
  const isMine = owner === me?.id
  const mayUnlock = isMine || me?.isAdministrator || isAllowed(document, 'Unlock')
  return (
    <Note icon={Lock} title={isMine ? say('mine') : say('theirs', { name })} hint={say(isMine ? 'mineHint' : 'theirsHint')}>
      {mayUnlock ? (
        <Button
          isPending={unlock.isPending}
          onPress={() => told(unlock.mutateAsync(document.uid), () => tell({ text: say('unlocked') }))}
        >
          <LockOpen size={16} aria-hidden />
          {say('unlock')}
        </Button>
      ) : undefined}
    </Note>
  )
}
