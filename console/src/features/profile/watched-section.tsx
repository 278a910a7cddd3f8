import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { watchedQuery } from '../../api/account.ts'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { meQuery } from '../../api/documents.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { Shown } from '../problems/shown.tsx'
import { OwnDocuments } from './own-documents.tsx'
import styles from './profile.module.css'
import { useProfileWords } from './words.ts'

/** What one is told about, to be ended where it has become too much. */
export function WatchedSection() {
  const say = useProfileWords()
  const { data: me } = useQuery(meQuery)
  const query = useQuery({ ...watchedQuery(me?.id ?? ''), enabled: me !== undefined })
  const unwatch = useDocumentChange((id: string) => runOperation('Document.Unsubscribe', [id]))
  return (
    <>
      <p className={styles.quiet}>{say('watchedHint')}</p>
      <Shown query={query} waiting={<Skeleton />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p>{say('noneWatched')}</p>
          ) : (
            <OwnDocuments
              documents={entries}
              icon={EyeOff}
              nameOf={(title) => say('unwatch', { title })}
              onGiveUp={(id) => unwatch.mutate(id, { onError: ({ message }) => tell({ kind: 'problem', text: message }) })}
            />
          )
        }
      </Shown>
    </>
  )
}
