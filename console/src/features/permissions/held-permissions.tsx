import { useInfiniteQuery } from '@tanstack/react-query'
import { heldQuery } from '../../api/documents.ts'
import { type Document, isAllowed, type User } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { PersonName } from '../people/person.tsx'
import { Refused } from '../problems/shown.tsx'
import { type Ace, useAceWords } from './ace-words.ts'
import styles from './permissions.module.css'
import { usePermissionWords } from './words.ts'

/** What somebody is given anywhere, to them or to their groups: told to whoever manages the rights there. */
export function HeldPermissions({ user }: { readonly user: User }) {
  const say = usePermissionWords()
  const groups = new Map<string, string | undefined>([
    ...user.extendedGroups.map(({ name, label }) => [name, label] as const),
    ['Everyone', undefined],
  ])
  const principals = [user.id, ...groups.keys()]
  const query = useInfiniteQuery(heldQuery(principals))
  if (query.error !== null && query.data === undefined) {
    return <Refused error={query.error} onRetry={() => void query.refetch()} />
  }
  const held = (query.data?.pages ?? [])
    .flatMap(({ entries }) => entries)
    .filter((document) => isAllowed(document, 'WriteSecurity'))
    .map((document) => ({ document, aces: acesFor(document, new Set(principals)) }))
    .filter(({ aces }) => aces.length > 0)
  if (held.length === 0 && !query.hasNextPage) return null
  return (
    <section aria-labelledby="held-permissions">
      <h2 id="held-permissions">{say('held')}</h2>
      <p className={styles.quiet}>{say('heldHint')}</p>
      <ul className={styles.held}>
        {held.map(({ document, aces }) => (
          <li key={document.uid}>
            <DocumentLink document={document} isReached />
            <ul>
              {aces.map((ace) => (
                <HeldAce key={ace.id} ace={ace} group={groups.get(String(ace.username))} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {say('more')}
        </Button>
      ) : null}
    </section>
  )
}

function HeldAce({ ace, group }: { readonly ace: Ace; readonly group: string | undefined }) {
  const say = usePermissionWords()
  const { may, frame } = useAceWords()
  const framed = frame(ace)
  const isForAll = ace.username === 'Everyone'
  const creator = typeof ace.creator === 'string' ? ace.creator : undefined
  return (
    <li>
      {may(ace)}
      <span className={styles.quiet}>
        {isForAll ? ` · ${say('asEverybody')}` : null}
        {group === undefined ? null : ` · ${say('asMember', { group })}`}
        {framed.length === 0 ? null : ` · ${framed.join(', ')}`}
        {creator === undefined ? null : (
          <>
            {` · ${say('givenBy')} `}
            <PersonName reference={creator} />
          </>
        )}
      </span>
    </li>
  )
}

function acesFor({ contextParameters }: Document, principals: ReadonlySet<string>): readonly Ace[] {
  const acls = contextParameters?.acls ?? []
  return acls
    .filter(({ name }) => name !== 'inherited')
    .flatMap(({ aces }) => aces)
    .filter((ace) => principals.has(String(ace.username)) && !isBlock(ace))
}

/** Keeps what folders above give from reaching a place, and takes nothing from anybody in particular. */
const isBlock = ({ username, permission, granted }: Ace) => username === 'Everyone' && permission === 'Everything' && !granted
