import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { documentQuery, foldersQuery } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentIcon } from '../documents/document-icon.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './folder-tree.module.css'
import { useBrowseWords } from './words.ts'

/** Folders in folders, unfolded down to where one is. */
export function FolderTree() {
  const say = useBrowseWords()
  const root = useQuery(documentQuery({ path: '/' }))
  return (
    <nav aria-label={say('tree')} className={styles.tree}>
      <Shown query={root} waiting={<Skeleton />}>
        {(document) => <Folders parent={document} />}
      </Shown>
    </nav>
  )
}

function Folders({ parent }: { readonly parent: Document }) {
  const say = useBrowseWords()
  const query = useQuery(foldersQuery(parent.uid))
  return (
    <Shown query={query} waiting={<Skeleton width="40%" />}>
      {({ entries, isNextPageAvailable }) => (
        <ul>
          {entries.map((folder) => (
            <Folder key={folder.uid} folder={folder} />
          ))}
          {isNextPageAvailable ? <li className={styles.more}>{say('moreFolders')}</li> : null}
        </ul>
      )}
    </Shown>
  )
}

function Folder({ folder }: { readonly folder: Document }) {
  const say = useBrowseWords()
  const path = folder.path ?? ''
  const here = useLocation({ select: ({ pathname }) => decodeURI(pathname).replace(/^\/browse/, '') })
  const isAround = here.startsWith(`${path}/`)
  const [chosen, choose] = useState<boolean>()
  const isOpen = chosen ?? isAround
  const hasFolders = folder.contextParameters?.hasFolderishChild ?? true
  return (
    <li>
      <div className={styles.line} data-current={here === path}>
        {hasFolders ? (
          <button
            type="button"
            className={styles.unfold}
            aria-expanded={isOpen}
            aria-label={say('unfold', { folder: titleOf(folder) })}
            onClick={() => choose(!isOpen)}
          >
            <ChevronRight size={14} aria-hidden />
          </button>
        ) : (
          <span className={styles.unfold} />
        )}
        <Link to="/browse/$" params={{ _splat: path.slice(1) }} {...(here === path && { 'aria-current': 'page' as const })}>
          <span className={styles.icon}>
            <DocumentIcon document={folder} size={16} />
          </span>
          <span className={styles.title}>{titleOf(folder)}</span>
        </Link>
      </div>
      {isOpen && hasFolders ? <Folders parent={folder} /> : null}
    </li>
  )
}
