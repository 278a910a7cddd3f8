import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { changedByQuery, sharedByQuery } from '../../api/documents.ts'
import { fullNameOf, profileOf, userQuery } from '../../api/people.ts'
import { type Document, propertyOf, type User } from '../../api/types.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentPart } from '../lists/document-part.tsx'
import { HeldPermissions } from '../permissions/held-permissions.tsx'
import { Shown } from '../problems/shown.tsx'
import { Person } from './person.tsx'
import styles from './person-page.module.css'
import { usePersonPageWords } from './words.ts'

const route = getRouteApi('/people/$name')

/** Somebody: who they are, what they work on, and what they may do, as far as one may know. */
export function PersonPage() {
  const { name } = route.useParams()
  const query = useQuery(userQuery(name))
  return (
    <Shown query={query} waiting={<Skeleton />} isPage>
      {(user) => <About key={user.id} user={user} />}
    </Shown>
  )
}

function About({ user }: { readonly user: User }) {
  const say = usePersonPageWords()
  const { ago } = useFormats()
  const changed = useQuery(changedByQuery(user.id))
  const shared = useQuery(sharedByQuery(user.id))
  const { email, company } = user.properties as { readonly email?: string | null; readonly company?: string | null }
  const { phonenumber } = profileOf(user)
  const beside = (document: Document) => <span>{ago(propertyOf(document, 'dc:modified'))}</span>
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Person reference={user.id} size="huge" isNamed={false} />
        <div>
          <h1>{fullNameOf(user)}</h1>
          <p className={styles.quiet}>{[user.id, company].filter(Boolean).join(' · ')}</p>
          <p className={styles.reach}>
            {email ? <a href={`mailto:${email}`}>{email}</a> : null}
            {phonenumber ? <a href={`tel:${phonenumber}`}>{phonenumber}</a> : null}
          </p>
        </div>
      </header>
      <section aria-labelledby="person-groups">
        <h2 id="person-groups">{say('groups')}</h2>
        {user.extendedGroups.length === 0 ? (
          <p className={styles.quiet}>{say('noGroups')}</p>
        ) : (
          <ul className={styles.groups}>
            {user.extendedGroups.map(({ name, label }) => (
              <li key={name}>{label}</li>
            ))}
          </ul>
        )}
      </section>
      <div className={styles.columns}>
        <DocumentPart
          title={say('changed')}
          query={changed}
          beside={beside}
          empty={<p className={styles.quiet}>{say('noneChanged')}</p>}
        />
        <DocumentPart
          title={say('shared')}
          query={shared}
          beside={beside}
          empty={<p className={styles.quiet}>{say('noneShared')}</p>}
        />
      </div>
      <HeldPermissions user={user} />
    </div>
  )
}
