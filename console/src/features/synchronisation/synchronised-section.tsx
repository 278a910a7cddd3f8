import { useQuery } from '@tanstack/react-query'
import { MonitorX } from 'lucide-react'
import { useDocumentChange } from '../../api/changes.ts'
import { titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { told } from '../problems/told.ts'
import styles from '../profile/profile.module.css'
import { setSynchronisation, synchronisedQuery } from './synchronisation.ts'
import { useSynchronisationWords } from './words.ts'

/** The folders that one's desktop clients synchronise, to be given up. */
export function SynchronisedSection() {
  const say = useSynchronisationWords()
  const query = useQuery(synchronisedQuery)
  const change = useDocumentChange(setSynchronisation)
  return (
    <>
      <p className={styles.quiet}>{say('hint')}</p>
      <Shown query={query} waiting={<Skeleton />}>
        {(folders) =>
          folders === null || folders.length === 0 ? (
            <p>{say(folders === null ? 'off' : 'none')}</p>
          ) : (
            <ul className={styles.list}>
              {folders.map((document) => (
                <li key={document.uid}>
                  <span className={styles.about}>
                    <DocumentLink document={document} isReached />
                  </span>
                  <Button
                    look="quiet"
                    aria-label={say('stopNamed', { title: titleOf(document) })}
                    onPress={() => told(change.mutateAsync({ id: document.uid, enable: false }))}
                  >
                    <MonitorX size={16} aria-hidden />
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
