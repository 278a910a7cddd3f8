import { useQuery } from '@tanstack/react-query'
import { AppWindow, Cable } from 'lucide-react'
import { grantsQuery, providersQuery, revokeGrant, revokeProvider } from '../../api/account.ts'
import { meQuery } from '../../api/documents.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { Shown } from '../problems/shown.tsx'
import styles from './profile.module.css'
import { RevokeButton } from './revoke-button.tsx'
import { useProfileWords } from './words.ts'

/** Applications that one has allowed to act in one's name. */
export function GrantsSection() {
  const say = useProfileWords()
  const { date } = useFormats()
  const { data: me } = useQuery(meQuery)
  const query = useQuery(grantsQuery)
  return (
    <>
      <p className={styles.quiet}>{say('grantsHint')}</p>
      <Shown query={query} waiting={<Skeleton />}>
        {(grants) =>
          grants.length === 0 ? (
            <p>{say('noGrants')}</p>
          ) : (
            <ul className={styles.list}>
              {grants.map(({ clientId, clientName, creationDate }) => (
                <li key={`${clientId} ${creationDate}`}>
                  <AppWindow size={20} strokeWidth={1.5} aria-hidden />
                  <span className={styles.about}>
                    <strong>{clientName ?? clientId}</strong>
                    {creationDate === null ? null : (
                      <span className={styles.quiet}>{say('made', { date: date(`${creationDate.replace(' ', 'T')}Z`) })}</span>
                    )}
                  </span>
                  <RevokeButton name={clientName ?? clientId ?? ''} revoke={() => revokeGrant(clientId ?? '', me?.id ?? '')} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}

/** Services elsewhere that the server may call in one's name. */
export function ProvidersSection() {
  const say = useProfileWords()
  const { data: me } = useQuery(meQuery)
  const query = useQuery(providersQuery)
  return (
    <>
      <p className={styles.quiet}>{say('providersHint')}</p>
      <Shown query={query} waiting={<Skeleton />}>
        {(all) => {
          const providers = all.filter(({ isAvailable, isAuthorized }) => isAvailable || isAuthorized)
          return providers.length === 0 ? (
            <p>{say('noProviders')}</p>
          ) : (
            <ul className={styles.list}>
              {providers.map(({ serviceName, description, isAuthorized, userId, authorizationURL }) => (
                <li key={serviceName}>
                  <Cable size={20} strokeWidth={1.5} aria-hidden />
                  <span className={styles.about}>
                    <strong>{description || serviceName}</strong>
                    {isAuthorized ? (
                      <span className={styles.quiet}>{say('connected', { who: userId ?? me?.id ?? '' })}</span>
                    ) : null}
                  </span>
                  {isAuthorized ? (
                    <RevokeButton
                      name={description || serviceName}
                      label={say('disconnect')}
                      revoke={() => revokeProvider(serviceName, me?.id ?? '')}
                    />
                  ) : authorizationURL === null ? null : (
                    <a href={authorizationURL}>{say('connect')}</a>
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </Shown>
    </>
  )
}
