import { useQuery } from '@tanstack/react-query'
import { FilePlus2 } from 'lucide-react'
import { recentQuery } from '../../api/documents.ts'
import { propertyOf } from '../../api/types.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { DueTasks } from '../tasks/due-tasks.tsx'
import styles from './home.module.css'
import { useHomeWords } from './words.ts'

export function Home() {
  const say = useHomeWords()
  const { ago } = useFormats()
  const recent = useQuery(recentQuery)
  return (
    <div className={styles.page}>
      <h1>{say('title')}</h1>
      <DueTasks />
      <section aria-labelledby="recent">
        <h2 id="recent">{say('recent')}</h2>
        <Shown query={recent} waiting={<Skeleton />}>
          {({ entries }) =>
            entries.length === 0 ? (
              <Message icon={FilePlus2} title={say('empty')}>
                <p>{say('emptyHint')}</p>
              </Message>
            ) : (
              <ul className={styles.list}>
                {entries.map((document) => (
                  <li key={document.uid}>
                    <DocumentLink document={document} />
                    <span>{ago(propertyOf(document, 'dc:modified'))}</span>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </section>
    </div>
  )
}
