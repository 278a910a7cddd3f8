import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { documentKeys } from '../../api/documents.ts'
import { titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './clipboard.module.css'
import { readAll } from './paste.ts'
import { useClipboard } from './use-clipboard.ts'
import { useClipboardWords } from './words.ts'

/** What is on the clipboard, in few words, beside a page. */
export function ClipboardContent() {
  const say = useClipboardWords()
  const { ids, remove } = useClipboard()
  const query = useQuery({
    queryKey: [...documentKeys.all, 'clipboard', ids],
    queryFn: ({ signal }) => readAll(ids, signal),
  })
  if (ids.length === 0) return <p className={styles.quiet}>{say('nothingHint')}</p>
  return (
    <>
      <Shown query={query} waiting={<Skeleton />}>
        {(documents) => (
          <ul className={styles.list}>
            {documents.map((document) => (
              <li key={document.uid}>
                <DocumentLink document={document} isReached />
                <Button
                  look="quiet"
                  aria-label={say('removeOne', { title: titleOf(document) })}
                  onPress={() => remove([document.uid])}
                >
                  <X size={14} aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <Link to="/clipboard">{say('show')}</Link>
    </>
  )
}
