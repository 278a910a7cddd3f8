import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SearchX, TextSearch } from 'lucide-react'
import { fulltextQuery } from '../../api/documents.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './search.module.css'
import { useSearchWords } from './words.ts'

const route = getRouteApi('/search')

export function SearchPage() {
  const say = useSearchWords()
  const { words } = route.useSearch()
  return (
    <div className={styles.page}>
      <h1>{say('title')}</h1>
      {words === undefined ? <Message icon={TextSearch} title={say('begin')} /> : <Found words={words} />}
    </div>
  )
}

function Found({ words }: { readonly words: string }) {
  const say = useSearchWords()
  const query = useQuery(fulltextQuery(words))
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ entries, resultsCount }) =>
        entries.length === 0 ? (
          <Message icon={SearchX} title={say('nothing', { words })}>
            <p>{say('nothingHint')}</p>
          </Message>
        ) : (
          <>
            <p role="status">{say('found', { count: Math.max(resultsCount, entries.length) })}</p>
            <ul>
              {entries.map((document) => (
                <li key={document.uid}>
                  <DocumentLink document={document} />
                  <div className={styles.path}>{document.path}</div>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Shown>
  )
}
