import { KeyRound } from 'lucide-react'
import {
  type AccessKind,
  type AuthenticationToken,
  accessKinds,
  grantsOf,
  type OAuth2Grant,
  revokeAccess,
  type SessionOfSomebody,
  sessionsOf,
  tokensOf,
} from '../../api/administration/access.ts'
import type { EntityPages } from '../../api/administration/entity-pages.ts'
import { Message } from '../../ui/message.tsx'
import { Segments } from '../../ui/segments.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { ConfirmedChange } from '../administration/confirmed-change.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { ScreenPage } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { PeopleField } from '../people/people-field.tsx'
import { PersonName, usePersonName } from '../people/person.tsx'
import { browserNameOf } from '../profile/browser-name.ts'
import styles from './tokens.module.css'
import { useAccessWords } from './words.ts'

/** What anybody is signed in with, kept to a person where one is named, and revoked. */
export function Screen() {
  const say = useAccessWords()
  const { search, change } = usePlace()
  const kind = accessKinds.find((one) => one === search.kind) ?? 'sessions'
  const { user } = search
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <Segments
            label={say('kinds')}
            selected={kind}
            options={accessKinds.map((id) => ({ id, label: say(id) }))}
            onSelect={(next) => change({ kind: next })}
          />
          <div className={styles.person}>
            <PeopleField
              label={say('person')}
              values={user === undefined ? [] : [user]}
              takesGroups={false}
              isSingle
              onChange={([next]) => change({ user: next })}
            />
          </div>
        </>
      }
    >
      {kind === 'sessions' ? <Sessions user={user} /> : kind === 'tokens' ? <Tokens user={user} /> : <Grants user={user} />}
    </ScreenPage>
  )
}

interface OfSomebody {
  readonly user: string | undefined
}

function Sessions({ user }: OfSomebody) {
  const say = useAccessWords()
  const { ago, date } = useFormats()
  const browserIn = ({ session }: SessionOfSomebody) => {
    const { browser, system } = browserNameOf(session.userAgent)
    return system === undefined ? browser : say('browserOn', { browser, system })
  }
  const columns: readonly Column<SessionOfSomebody>[] = [
    who(say('who'), ({ session }) => session.username),
    { id: 'browser', label: say('browser'), width: 'minmax(100px, 2fr)', render: browserIn },
    minor('seen', say('seen'), ({ session }) => ago(session.lastSeen)),
    minor('since', say('since'), ({ session }) => date(session.creationDate)),
    minor('address', say('address'), ({ session }) => session.address),
    actions(say('actions'), (row) =>
      row.session.isCurrent ? (
        <span className={styles.quiet}>{say('thisOne')}</span>
      ) : row.isValid ? (
        <Revoke kind="sessions" id={row.session.id} user={row.session.username} what={browserIn(row)} />
      ) : (
        <span className={styles.quiet}>{say('invalid')}</span>
      ),
    ),
  ]
  return <List kind="sessions" pages={sessionsOf(user)} columns={columns} keyOf={({ session }) => session.id} />
}

function Tokens({ user }: OfSomebody) {
  const say = useAccessWords()
  const { date } = useFormats()
  const columns: readonly Column<AuthenticationToken>[] = [
    who(say('who'), ({ username }) => username),
    { id: 'application', label: say('application'), width: 'minmax(100px, 2fr)', render: ({ application }) => application },
    minor('device', say('device'), ({ deviceDescription, deviceId }) => deviceDescription || deviceId),
    minor('since', say('since'), ({ creationDate }) => date(creationDate)),
    actions(say('actions'), ({ digest, username, application }) => (
      <Revoke kind="tokens" id={digest} user={username} what={application} />
    )),
  ]
  return <List kind="tokens" pages={tokensOf(user)} columns={columns} keyOf={({ digest }) => digest} />
}

function Grants({ user }: OfSomebody) {
  const say = useAccessWords()
  const { date } = useFormats()
  const partnerOf = ({ clientId, serviceName }: OAuth2Grant) => clientId ?? serviceName ?? ''
  const columns: readonly Column<OAuth2Grant>[] = [
    who(say('who'), ({ username }) => username ?? ''),
    { id: 'partner', label: say('partner'), width: 'minmax(100px, 2fr)', render: partnerOf },
    minor('kind', say('kind'), ({ clientId }) => say(clientId === null ? 'provider' : 'client')),
    minor('since', say('since'), ({ creationDate }) => date(creationDate)),
    actions(say('actions'), (grant) => (
      <Revoke kind="grants" id={grant.id} user={grant.username ?? ''} what={partnerOf(grant)} />
    )),
  ]
  return <List kind="grants" pages={grantsOf(user)} columns={columns} keyOf={({ id }) => id} />
}

function who<Row>(label: string, nameOf: (row: Row) => string): Column<Row> {
  return { id: 'who', label, width: 'minmax(80px, 2fr)', render: (row) => <PersonName reference={nameOf(row)} /> }
}

function minor<Row>(id: string, label: string, render: Column<Row>['render']): Column<Row> {
  return { id, label, width: 'minmax(0, 1fr)', isMinor: true, render }
}

function actions<Row>(label: string, render: Column<Row>['render']): Column<Row> {
  return { id: 'actions', label, width: '110px', render }
}

interface ListProps<Row> {
  readonly kind: AccessKind
  readonly pages: EntityPages<Row>
  readonly columns: readonly Column<Row>[]
  keyOf(row: Row): string
}

const none = { sessions: 'noSessions', tokens: 'noTokens', grants: 'noGrants' } as const

function List<Row>({ kind, pages, columns, keyOf }: ListProps<Row>) {
  const say = useAccessWords()
  return (
    <EntityList
      key={kind}
      label={say(kind)}
      pages={pages}
      columns={columns}
      keyOf={keyOf}
      counted={(count) => say(`${kind}Count`, { count })}
      empty={
        <Message icon={KeyRound} title={say(none[kind])}>
          <p>{say('noneHint')}</p>
        </Message>
      }
    />
  )
}

interface RevokeProps {
  readonly kind: AccessKind
  readonly id: string
  readonly user: string
  /** The browser, program or service. */
  readonly what: string
}

function Revoke({ kind, id, user, what }: RevokeProps) {
  const say = useAccessWords()
  const name = usePersonName(user)
  const isSession = kind === 'sessions'
  const label = say(isSession ? 'end' : 'revoke')
  const words = {
    label,
    name: say('of', { action: label, what, name }),
    title: say(isSession ? 'endTitle' : 'revokeTitle', { name }),
    sentence: say(isSession ? 'endSentence' : 'revokeSentence', { what }),
    cancel: say('cancel'),
    done: say('revoked', { what, name }),
  }
  return <ConfirmedChange words={words} run={() => revokeAccess(kind, id)} />
}
