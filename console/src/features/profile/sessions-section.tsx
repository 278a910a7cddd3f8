import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { endOtherSessions, endSession, type Session, sessionsQuery } from '../../api/account.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { Shown } from '../problems/shown.tsx'
import { browserNameOf } from './browser-name.ts'
import styles from './profile.module.css'
import { useAccountChange } from './use-account-change.ts'
import { useProfileWords } from './words.ts'

/** The browsers in which one is signed in; those that one does not know are ended from here. */
export function SessionsSection() {
  const say = useProfileWords()
  const query = useQuery(sessionsQuery)
  const endOthers = useAccountChange(endOtherSessions)
  return (
    <>
      <p className={styles.quiet}>{say('sessionsHint')}</p>
      <Shown query={query} waiting={<Skeleton />}>
        {(sessions) => (
          <>
            <ul className={styles.list}>
              {sessions.map((session) => (
                <Line key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 ? (
              <div>
                <Button
                  onPress={() => endOthers.mutate(undefined, { onSuccess: () => tell({ text: say('ended') }) })}
                  isPending={endOthers.isPending}
                >
                  {say('endOthers')}
                </Button>
              </div>
            ) : null}
          </>
        )}
      </Shown>
    </>
  )
}

function Line({ session }: { readonly session: Session }) {
  const say = useProfileWords()
  const { ago, date } = useFormats()
  const end = useAccountChange(endSession)
  const { browser, system } = browserNameOf(session.userAgent)
  const name = system === undefined ? browser : say('browserOn', { browser, system })
  return (
    <li>
      <MonitorSmartphone size={20} strokeWidth={1.5} aria-hidden />
      <span className={styles.about}>
        <strong>
          {name} {session.isCurrent ? <span className={styles.badge}>{say('thisOne')}</span> : null}
        </strong>
        <span className={styles.quiet}>
          {say('seen', { ago: ago(session.lastSeen), date: date(session.creationDate), address: session.address })}
        </span>
      </span>
      {session.isCurrent ? null : (
        <Button
          aria-label={say('endOne', { browser: name })}
          onPress={() => end.mutate(session.id, { onSuccess: () => tell({ text: say('ended') }) })}
          isPending={end.isPending}
        >
          {say('end')}
        </Button>
      )}
    </li>
  )
}
