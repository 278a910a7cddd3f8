import { useQuery } from '@tanstack/react-query'
import { MonitorX } from 'lucide-react'
import { useDocumentChange } from '../../api/changes.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Shown } from '../problems/shown.tsx'
import { told } from '../problems/told.ts'
import { OwnDocuments } from '../profile/own-documents.tsx'
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
            <OwnDocuments
              documents={folders}
              icon={MonitorX}
              nameOf={(title) => say('stopNamed', { title })}
              onGiveUp={(id) => told(change.mutateAsync({ id, enable: false }))}
            />
          )
        }
      </Shown>
    </>
  )
}
