import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { documentKeys, queryDocuments, quote } from '../../api/documents.ts'
import { fullNameOf } from '../../api/people.ts'
import type { Document, User } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { PersonLink } from '../people/person-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { type Ace, useAceWords } from './ace-words.ts'
import styles from './permissions.module.css'
import { ShareDialog } from './share-dialog.tsx'
import { TakeAwayButton } from './take-away-button.tsx'
import { usePermissionWords } from './words.ts'

/** Who may do what with a document: given here, and what reaches it from above. */
export function Permissions({ document }: { readonly document: Document }) {
  const say = usePermissionWords()
  const [isSharing, setSharing] = useState(false)
  const mayChange = document.contextParameters?.permissions?.includes('WriteSecurity') ?? false
  const query = useQuery({
    queryKey: [...documentKeys.all, 'permissions', document.uid],
    queryFn: ({ signal }) =>
      call<Document>(`id/${document.uid}`, {
        signal,
        headers: { 'enrichers.document': 'acls,userVisiblePermissions', 'fetch.acls': 'username,creator' },
      }),
  })
  const sources = useQuery({
    queryKey: [...documentKeys.all, 'permissions', document.uid, 'above'],
    queryFn: ({ signal }) => readSources(document, signal),
  })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ contextParameters: { acls = [], userVisiblePermissions = [] } = {} }) => {
        const all = acls.filter(({ name }) => name !== 'inherited').flatMap(({ aces }) => aces)
        const above = acls.filter(({ name }) => name === 'inherited').flatMap(({ aces }) => aces)
        const isBlocked = all.some(isBlock)
        const here = all.filter((ace) => !isBlock(ace) && !ace.externalUser)
        const external = all.filter((ace) => ace.externalUser)
        return (
          <div className={styles.page}>
            <section aria-labelledby="given-here">
              <div className={styles.head}>
                <h2 id="given-here">{say('here')}</h2>
                {mayChange ? (
                  <Button onPress={() => setSharing(true)}>
                    <UserPlus size={16} aria-hidden />
                    {say('add')}
                  </Button>
                ) : null}
              </div>
              {here.length === 0 ? <p>{say('noneHere')}</p> : null}
              <ul className={styles.list}>
                {here.map((ace) => (
                  <Line key={ace.id} ace={ace} documentId={mayChange ? document.uid : undefined} />
                ))}
              </ul>
            </section>
            <section aria-labelledby="given-above">
              <h2 id="given-above">{say('inherited')}</h2>
              {isBlocked ? <p>{say('blocked')}</p> : null}
              <ul className={styles.list}>
                {above.map((ace) => (
                  <Line key={ace.id} ace={ace} documentId={undefined} origin={originOf(ace, sources.data)} />
                ))}
              </ul>
            </section>
            <section aria-labelledby="given-outside">
              <h2 id="given-outside">{say('external')}</h2>
              {external.length === 0 ? <p className={styles.quiet}>{say('noneExternal')}</p> : null}
              <ul className={styles.list}>
                {external.map((ace) => (
                  <Line key={ace.id} ace={ace} documentId={mayChange ? document.uid : undefined} />
                ))}
              </ul>
            </section>
            <ShareDialog
              document={document}
              permissions={userVisiblePermissions}
              isOpen={isSharing}
              onClose={() => setSharing(false)}
            />
          </div>
        )
      }}
    </Shown>
  )
}

/** A user or group: as an entity where there is one, else by the name. */
type Principal = string | { readonly id: string; readonly grouplabel?: string | null; readonly properties?: User['properties'] }

function principalIn(principal: unknown): string {
  return typeof principal === 'string' ? principal : (principal as Exclude<Principal, string>).id
}

function labelOf(principal: unknown): string {
  if (typeof principal === 'string') return principal
  const { id, grouplabel, properties = {} } = principal as Exclude<Principal, string>
  return grouplabel || fullNameOf({ id, properties })
}

/** Groups have labels, and what is no entity is no account that one could look at. */
const isAccount = (principal: unknown) => typeof principal !== 'string' && 'properties' in (principal as object)

/** A folder above, with what is given there. */
interface Source {
  readonly document: Document
  /** How many folders up. */
  readonly distance: number
  readonly aces: readonly Ace[]
}

/** The folders above, the nearest first, as far as one can see them. @throws Problem */
async function readSources({ uid, contextParameters }: Document, signal: AbortSignal): Promise<readonly Source[]> {
  const above = (contextParameters?.breadcrumb?.entries ?? []).filter((one) => one.uid !== uid).toReversed()
  if (above.length === 0) return []
  const nxql = `SELECT * FROM Document WHERE ecm:uuid IN (${above.map((one) => quote(one.uid)).join(', ')})`
  const { entries } = await queryDocuments(nxql, { pageSize: above.length, signal, enrichers: ['acls'] })
  return above.flatMap((one, index) => {
    const found = entries.find((entry) => entry.uid === one.uid)
    const acls = found?.contextParameters?.acls ?? []
    const aces = acls.filter(({ name }) => name !== 'inherited').flatMap((acl) => acl.aces)
    return found === undefined ? [] : [{ document: found, distance: index + 1, aces }]
  })
}

function originOf(ace: Ace, sources: readonly Source[] = []): Source | undefined {
  return sources.find(({ aces }) =>
    aces.some(
      (one) => one.username === principalIn(ace.username) && one.permission === ace.permission && one.granted === ace.granted,
    ),
  )
}

const isBlock = ({ username, permission, granted }: Ace) =>
  principalIn(username) === 'Everyone' && permission === 'Everything' && !granted

interface LineProps {
  readonly ace: Ace
  /** Where it can be taken away. */
  readonly documentId: string | undefined
  readonly origin?: Source | undefined
}

/** In words, as somebody would ask: who, what, for how long, and why. */
function Line({ ace, documentId, origin }: LineProps) {
  const say = usePermissionWords()
  const who = principalIn(ace.username) === 'Everyone' ? say('everyone') : labelOf(ace.username)
  const { may, frame } = useAceWords()
  const framed = [...frame(ace), ...(ace.creator === null ? [] : [say('by', { who: labelOf(ace.creator) })])]
  return (
    <li>
      <span>
        <strong>{isAccount(ace.username) ? <PersonLink name={principalIn(ace.username)}>{who}</PersonLink> : who}</strong>{' '}
        {may(ace)}
        {framed.length === 0 ? null : <span className={styles.quiet}> ({framed.join(', ')})</span>}
        {origin === undefined ? null : (
          <span className={styles.quiet}>
            {' '}
            {say('origin', { count: origin.distance })} <DocumentLink document={origin.document} isReached />
          </span>
        )}
      </span>
      {documentId === undefined ? null : <TakeAwayButton documentId={documentId} aceId={ace.id} who={who} />}
    </li>
  )
}
