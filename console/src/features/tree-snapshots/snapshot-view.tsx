import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { type Document, isAllowed, isFolder, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentIcon } from '../documents/document-icon.tsx'
import { Shown } from '../problems/shown.tsx'
import { versionQuery } from '../versions/use-versions.ts'
import versionStyles from '../versions/versions.module.css'
import { RestoreSnapshotButton } from './restore-snapshot.tsx'
import styles from './snapshot-view.module.css'
import { snapshotPartsQuery } from './snapshots.ts'
import { useSnapshotWords } from './words.ts'

export interface SnapshotViewProps {
  readonly folder: Document
  /** Of the version that is looked at. */
  readonly id: string
}

/** A version of a folder, with what was in it. */
export function SnapshotView({ folder, id }: SnapshotViewProps) {
  return (
    <Shown query={useQuery(versionQuery(id))} waiting={<Skeleton />}>
      {(version) => <Snapshot folder={folder} version={version} />}
    </Shown>
  )
}

function Snapshot({ folder, version }: { readonly folder: Document; readonly version: Document }) {
  const say = useSnapshotWords()
  const { moment } = useFormats()
  const label = version.versionLabel ?? ''
  return (
    <>
      <header className={versionStyles.head}>
        <div>
          <h2>{say('version', { label })}</h2>
          <p className={versionStyles.quiet}>{moment(version.contextParameters?.version?.created)}</p>
        </div>
        {isAllowed(folder, 'WriteProperties') ? <RestoreSnapshotButton id={version.uid} label={label} /> : null}
      </header>
      <h3>{say('content')}</h3>
      <Parts of={version} />
    </>
  )
}

/** What was in a folder, and what was in that, once it is unfolded. */
function Parts({ of: version }: { readonly of: Document }) {
  const say = useSnapshotWords()
  return (
    <Shown query={useQuery(snapshotPartsQuery(version.uid))} waiting={<Skeleton />}>
      {(parts) =>
        parts.length === 0 ? (
          <p className={versionStyles.quiet}>{say('emptyFolder')}</p>
        ) : (
          <ul className={styles.parts} aria-label={say('unfold', { title: titleOf(version) })}>
            {parts.map((part) => (
              <li key={part.uid}>{isFolder(part) && part.isVersion ? <Branch folder={part} /> : <Leaf part={part} />}</li>
            ))}
          </ul>
        )
      }
    </Shown>
  )
}

function Branch({ folder }: { readonly folder: Document }) {
  const say = useSnapshotWords()
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <div className={styles.part}>
        <Button
          look="quiet"
          aria-label={say('unfold', { title: titleOf(folder) })}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          <Chevron size={16} aria-hidden />
        </Button>
        <DocumentIcon document={folder} />
        <span className={styles.title}>{titleOf(folder)}</span>
        <Label version={folder} />
      </div>
      {isOpen ? (
        <div className={styles.below}>
          <Parts of={folder} />
        </div>
      ) : null}
    </>
  )
}

/** Leads to the version itself; of what was merely shown there, to that. */
function Leaf({ part }: { readonly part: Document }) {
  return (
    <div className={styles.part} data-leaf>
      <DocumentIcon document={part} />
      <Link className={styles.title} to="/doc/$id" params={{ id: part.uid }}>
        {titleOf(part)}
      </Link>
      <Label version={part} />
    </div>
  )
}

function Label({ version: { isVersion, versionLabel } }: { readonly version: Document }) {
  return isVersion ? <span className={versionStyles.quiet}>{versionLabel}</span> : null
}
