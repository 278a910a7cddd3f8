import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FilePlus2 } from 'lucide-react'
import { changedByOthersQuery, changedByQuery, meQuery } from '../../api/documents.ts'
import { type Document, propertyOf } from '../../api/types.ts'
import { Message } from '../../ui/message.tsx'
import { useFormats } from '../../words/formats.ts'
import { someFavoritesQuery } from '../favorites/use-favorites.ts'
import { DocumentPart } from '../lists/document-part.tsx'
import { Person } from '../people/person.tsx'
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
      <div className={styles.note}>
        <DefaultPasswordNote />
      </div>
      <DueTasks />
      <div className={styles.columns}>
        <DocumentPart
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
        <DocumentPart
          title={say('favorites')}
          query={favorites}
          beside={changed}
          more={<Link to="/favorites">{say('all')}</Link>}
          empty={<p className={styles.quiet}>{say('noFavorites')}</p>}
        />
        <DocumentPart
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
