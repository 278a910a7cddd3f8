import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { watchedQuery } from '../../api/account.ts'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { meQuery } from '../../api/documents.ts'
import { titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
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
            <ul className={styles.list}>
              {entries.map((document) => (
                <li key={document.uid}>
                  <span className={styles.about}>
                    <DocumentLink document={document} isReached />
                  </span>
                  <Button
                    look="quiet"
                    aria-label={say('unwatch', { title: titleOf(document) })}
                    onPress={() =>
                      unwatch.mutate(document.uid, { onError: ({ message }) => tell({ kind: 'problem', text: message }) })
                    }
                  >
                    <EyeOff size={16} aria-hidden />
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}
