import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { GitCompareArrows, History } from 'lucide-react'
import { useState } from 'react'
import { type Document, isAllowed, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { Refused } from '../problems/shown.tsx'
import { ChosenBeside } from './chosen-beside.tsx'
import { Comparison } from './comparison.tsx'
import { NewVersionButton } from './new-version.tsx'
import { versionsQuery } from './use-versions.ts'
import { VersionView } from './version-view.tsx'
import styles from './versions.module.css'
import { useVersionWords } from './words.ts'

const route = getRouteApi('/browse/$')

/** The versions of a document: each to be looked at and restored, two of them to be compared. */
export function Versions({ document }: { readonly document: Document }) {
  const say = useVersionWords()
  const { version, with: other } = route.useSearch()
  const chosen =
    version === undefined ? null : other === undefined ? (
      <VersionView key={version} document={document} id={version} />
    ) : (
      <Comparison key={`${version} ${other}`} document={document} ids={[version, other]} />
    )
  return (
    <ChosenBeside
      list={<VersionList document={document} />}
      chosen={chosen}
      words={{ chosen: say('detail'), back: say('back') }}
    />
  )
}

function VersionList({ document }: { readonly document: Document }) {
  const say = useVersionWords()
  const navigate = route.useNavigate()
  const { version, with: other } = route.useSearch()
  const query = useInfiniteQuery(versionsQuery(document.uid))
  const [chosen, setChosen] = useState<readonly string[]>(version === undefined || other === undefined ? [] : [version, other])
  const versions = query.data?.pages.flatMap(({ entries }) => entries)
  const choose = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, id].slice(-2) : chosen.filter((one) => one !== id))
  // The older of the two on the left: versions are listed from the newest on, after the document itself.
  const order = [document.uid, ...(versions ?? []).map(({ uid }) => uid)]
  const compare = () => {
    const [after, before] = chosen.toSorted((one, another) => order.indexOf(one) - order.indexOf(another))
    void navigate({ search: { tab: 'versions', version: before, with: after } })
  }
  return (
    <section className={styles.side} aria-label={say('versions')}>
      <div className={styles.bar}>
        {isAllowed(document, 'WriteVersion') ? <NewVersionButton document={document} /> : null}
        <Button isDisabled={chosen.length !== 2} onPress={compare}>
          <GitCompareArrows size={16} aria-hidden />
          {say('compare')}
        </Button>
      </div>
      {query.error === null ? null : <Refused error={query.error} onRetry={() => void query.refetch()} />}
      {versions === undefined && query.error === null ? <Skeleton /> : null}
      {versions?.length === 0 ? (
        <Message icon={History} title={say('empty')}>
          <p>{say('emptyHint')}</p>
        </Message>
      ) : null}
      {versions === undefined || versions.length === 0 ? null : (
        <>
          <p className={styles.quiet}>{say('compareHint')}</p>
          <ul className={styles.list}>
            <NowLine document={document} isChosen={chosen.includes(document.uid)} onChoose={choose} />
            {versions.map((one) => (
              <VersionLine
                key={one.uid}
                version={one}
                isCurrent={one.uid === document.contextParameters?.version?.baseId}
                isOpen={one.uid === version}
                isChosen={chosen.includes(one.uid)}
                onChoose={choose}
              />
            ))}
          </ul>
        </>
      )}
      {query.hasNextPage ? (
        <Button onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
          {say('earlier')}
        </Button>
      ) : null}
    </section>
  )
}

interface LineProps {
  readonly isChosen: boolean
  onChoose(id: string, isChosen: boolean): void
}

function NowLine({ document, isChosen, onChoose }: LineProps & { readonly document: Document }) {
  const say = useVersionWords()
  const label = (document.versionLabel ?? '').replace('+', '')
  const state = label === '0.0' ? 'neverVersioned' : document.isCheckedOut ? 'changedSince' : 'unchanged'
  return (
    <li className={styles.line}>
      <input
        type="checkbox"
        aria-label={say('choose', { label: say('now') })}
        checked={isChosen}
        onChange={(event) => onChoose(document.uid, event.target.checked)}
      />
      <div>
        <strong>{say('now')}</strong>
        <div className={styles.quiet}>{say(state, { label })}</div>
      </div>
    </li>
  )
}

interface VersionLineProps extends LineProps {
  readonly version: Document
  /** The document has come from it. */
  readonly isCurrent: boolean
  /** It is what one looks at. */
  readonly isOpen: boolean
}

function VersionLine({ version, isCurrent, isOpen, isChosen, onChoose }: VersionLineProps) {
  const say = useVersionWords()
  const { ago } = useFormats()
  const { label = version.versionLabel ?? '', created = null, comment = null } = version.contextParameters?.version ?? {}
  return (
    <li className={styles.line} data-open={isOpen}>
      <input
        type="checkbox"
        aria-label={say('choose', { label: say('version', { label }) })}
        checked={isChosen}
        onChange={(event) => onChoose(version.uid, event.target.checked)}
      />
      <div>
        <Link to="." search={{ tab: 'versions', version: version.uid }} className={styles.name}>
          {say('version', { label })}
        </Link>
        {isCurrent ? <span className={styles.badge}>{say('current')}</span> : null}
        {comment ? <div>{comment}</div> : null}
        <div className={styles.quiet}>
          {ago(created)} {say('by', { who: propertyOf(version, 'dc:lastContributor') ?? '' })}
        </div>
      </div>
    </li>
  )
}
