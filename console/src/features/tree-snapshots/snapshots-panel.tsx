import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type Document, isAllowed, propertyOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { Shown } from '../problems/shown.tsx'
import { ChosenBeside } from '../versions/chosen-beside.tsx'
import { versionsQuery } from '../versions/use-versions.ts'
import styles from '../versions/versions.module.css'
import { SnapshotView } from './snapshot-view.tsx'
import { TakeSnapshotButton } from './take-snapshot.tsx'
import { useSnapshotWords } from './words.ts'

const route = getRouteApi('/browse/$')

/** The versions of a folder with all that was in it: each to be looked at and restored. */
export function SnapshotsPanel({ document }: { readonly document: Document }) {
  const say = useSnapshotWords()
  const { version } = route.useSearch()
  return (
    <ChosenBeside
      list={<SnapshotList folder={document} />}
      chosen={version === undefined ? null : <SnapshotView key={version} folder={document} id={version} />}
      words={{ chosen: say('chosen'), back: say('all') }}
    />
  )
}

function SnapshotList({ folder }: { readonly folder: Document }) {
  const say = useSnapshotWords()
  const query = useInfiniteQuery(versionsQuery(folder.uid))
  return (
    <section className={styles.side} aria-label={say('versions')}>
      {isAllowed(folder, 'WriteProperties') ? (
        <div className={styles.bar}>
          <TakeSnapshotButton folder={folder} />
        </div>
      ) : null}
      <Shown query={query} waiting={<Skeleton />}>
        {({ pages }) => <SnapshotLines folder={folder} versions={pages.flatMap(({ entries }) => entries)} />}
      </Shown>
      {query.hasNextPage ? (
        <Button onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
          {say('earlier')}
        </Button>
      ) : null}
    </section>
  )
}

function SnapshotLines({ folder, versions }: { readonly folder: Document; readonly versions: readonly Document[] }) {
  const say = useSnapshotWords()
  const { ago } = useFormats()
  const { version: open } = route.useSearch()
  if (versions.length === 0)
    return (
      <Message icon={History} title={say('none')}>
        {isAllowed(folder, 'WriteProperties') ? <p>{say('noneHint')}</p> : null}
      </Message>
    )
  return (
    <ul className={styles.list}>
      {versions.map((one) => (
        <li key={one.uid} className={styles.line} data-open={one.uid === open}>
          <div>
            <Link to="." search={{ tab: 'versions', version: one.uid }} className={styles.name}>
              {say('version', { label: one.contextParameters?.version?.label ?? one.versionLabel ?? '' })}
            </Link>
            <div className={styles.quiet}>
              {ago(one.contextParameters?.version?.created)} {say('by', { who: propertyOf(one, 'dc:lastContributor') ?? '' })}
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
