import { Eye, EyeOff } from 'lucide-react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useNotificationWords } from './words.ts'

/** Has one told of what happens to a document, and to all that is in a folder, or no longer. */
export function WatchButton({ document }: { readonly document: Document }) {
  const say = useNotificationWords()
  const isWatched = (document.contextParameters?.subscribedNotifications ?? []).length > 0
  const change = useDocumentChange((operation: 'Document.Subscribe' | 'Document.Unsubscribe') =>
    runOperation<Document>(operation, [document.uid]),
  )
  // What was asked for shows at once; the document says it when it was read again.
  const isShown = change.isPending ? !isWatched : isWatched
  const Icon = isShown ? EyeOff : Eye
  return (
    <Button
      look="quiet"
      onPress={() => {
        if (change.isPending) return
        change.mutate(isWatched ? 'Document.Unsubscribe' : 'Document.Subscribe', {
          onSuccess: () => tell({ text: say(isWatched ? 'unwatched' : 'watched', { title: titleOf(document) }) }),
          onError: ({ message }) => tell({ kind: 'problem', text: message }),
        })
      }}
    >
      <Icon size={16} aria-hidden />
      <span className="wide-only">{say(isShown ? 'unwatch' : 'watch')}</span>
    </Button>
  )
}
