import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { runOperation } from '../../api/changes.ts'
import { documentKeys } from '../../api/documents.ts'
import type { Document } from '../../api/types.ts'
import { Note } from '../../ui/note.tsx'
import { usePublishingWords } from './words.ts'

/** Says of what is shown in a section which version of what it is. */
export function PublishedNote({ document }: { readonly document: Document }) {
  const say = usePublishingWords()
  // Who may not see the document is not led there.
  const { data: source } = useQuery({
    queryKey: [...documentKeys.all, 'source', document.uid],
    queryFn: () => runOperation<Document>('Proxy.GetSourceDocument', [document.uid]),
    enabled: document.isProxy,
  })
  if (!document.isProxy) return null
  return (
    <Note icon={Send} title={say('note', { label: document.versionLabel ?? '' })} hint={say('noteHint')}>
      {source?.path ? (
        <Link to="/browse/$" params={{ _splat: source.path.slice(1) }}>
          {say('toSource')}
        </Link>
      ) : null}
    </Note>
  )
}
