import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilePlus2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { changedByOthersQuery, changedByQuery, meQuery } from '../../api/documents.ts'
import { type Document, type DocumentPage, propertyOf } from '../../api/types.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { someFavoritesQuery } from '../favorites/use-favorites.ts'
import { Person } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import { DueTasks } from '../tasks/due-tasks.tsx'
import { DefaultPasswordNote } from './default-password-note.tsx'
import styles from './home.module.css'
import { useHomeWords } from './words.ts'

/** Where somebody begins: what waits, what they were at, what they keep at hand, what others do around them. */
export function Home() {
  const say = useHomeWords()
  const { ago } = useFormats()
  const { data: me } = useQuery(meQuery)
  const known = { enabled: me !== undefined }
  const mine = useQuery({ ...changedByQuery(me?.id ?? ''), ...known })
  const others = useQuery({ ...changedByOthersQuery(me?.id ?? ''), ...known })
  const favorites = useQuery(someFavoritesQuery)
  const changed = (document: Document) => <span>{ago(propertyOf(document, 'dc:modified'))}</span>
  return (
    <div className={styles.page}>
      <h1>{say('title')}</h1>
      <DefaultPasswordNote />
      <DueTasks />
      <div className={styles.columns}>
        <Part
          title={say('mine')}
          query={mine}
          beside={changed}
          empty={
            <Message icon={FilePlus2} title={say('empty')}>
              <p>{say('emptyHint')}</p>
              <Link to="/browse/$" params={{ _splat: '' }}>
                {say('toDocuments')}
              </Link>
            </Message>
          }
        />
        <Part
          title={say('favorites')}
          query={favorites}
          beside={changed}
          more={<Link to="/favorites">{say('all')}</Link>}
          empty={<p className={styles.quiet}>{say('noFavorites')}</p>}
        />
        <Part
          title={say('others')}
          query={others}
          beside={(document) => (
            <span className={styles.who}>
              <Person reference={propertyOf(document, 'dc:lastContributor') ?? ''} isNamed={false} />
              {ago(propertyOf(document, 'dc:modified'))}
            </span>
          )}
          empty={<p className={styles.quiet}>{say('noOthers')}</p>}
        />
      </div>
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly query: UseQueryResult<Pick<DocumentPage, 'entries'>>
  readonly more?: ReactNode
  readonly empty: ReactNode
  /** Stands at the end of a line. */
  readonly beside: (document: Document) => ReactNode
}

function Part({ title, query, more, empty, beside }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {more}
      </header>
      <Shown query={query} waiting={<Waiting />}>
        {({ entries }) =>
          entries.length === 0 ? (
            empty
          ) : (
            <ul className={styles.list}>
              {entries.map((document) => (
                <li key={document.uid}>
                  <DocumentLink document={document} isReached />
                  {beside(document)}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton width="70%" />
      <Skeleton width="50%" />
      <Skeleton width="60%" />
    </div>
  )
}
