import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate, useSearch } from '@tanstack/react-router'
import { FileX } from 'lucide-react'
import { Suspense } from 'react'
import { Problem } from '../../api/client.ts'
import { documentQuery, type Reference } from '../../api/documents.ts'
import { findListedFolder } from '../../api/listed.ts'
import { type Document, hasFacet, isFolder, titleOf } from '../../api/types.ts'
import { Note } from '../../ui/note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CollectionContent } from '../collections/collection-content.tsx'
import { DocumentActions } from '../document/document-actions.tsx'
import { DocumentNotes } from '../document/document-notes.tsx'
import { documentTabs } from '../document/document-tabs.tsx'
import { DocumentView } from '../document/document-view.tsx'
import { useTabWords } from '../document/words.ts'
import { holds } from '../pieces/condition.ts'
import { usePieces, usePieceTexts } from '../pieces/use-pieces.ts'
import { later } from '../problems/later.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './browse.module.css'
import { FolderList } from './folder-list.tsx'
import { useBrowseWords } from './words.ts'

const PieceTab = later(async () => (await import('../pieces/piece-tab.tsx')).PieceTab)

const route = getRouteApi('/browse/$')

/** What lies at a path: a folder with what is in it, or a document. */
export function Browse() {
  const { _splat = '' } = route.useParams()
  return <DocumentPage reference={{ path: `/${_splat}` }} />
}

export function DocumentPage({ reference }: { readonly reference: Reference }) {
  const queries = useQueryClient()
  const query = useQuery({
    ...documentQuery(reference),
    placeholderData: () => ('path' in reference ? findListedFolder(queries, reference.path) : undefined),
  })
  return (
    <Shown query={query} waiting={<Waiting />} isPage>
      {(document) => (
        <div className={styles.page}>
          <Breadcrumb document={document} />
          <DocumentTabs key={document.uid} document={document} isWhole={!query.isPlaceholderData} isGone={isGone(query.error)} />
        </div>
      )}
    </Shown>
  )
}

const isGone = (error: unknown) => error instanceof Problem && (error.status === 404 || error.status === 403)

/** What a document is, and what else is known of it. */
interface DocumentTabsProps {
  readonly document: Document
  readonly isWhole: boolean
  /** Since it was read. */
  readonly isGone: boolean
}

function DocumentTabs({ document, isWhole, isGone }: DocumentTabsProps) {
  const say = useBrowseWords()
  const sayTab = useTabWords()
  const navigate = useNavigate()
  const { tab = 'view' } = useSearch({ strict: false })
  const textOf = usePieceTexts()
  const { tabs } = usePieces()
  const further = [
    ...tabs
      .filter(({ when }) => isWhole && holds(when, document))
      .map((piece) => ({
        id: `${piece.plugin}.${piece.name}` as const,
        label: textOf(piece.label),
        panel: <PieceTab piece={piece} document={document} />,
      })),
    ...documentTabs
      .filter(({ isFor }) => isFor?.(document) ?? true)
      .map(({ id, Panel }) => ({ id, label: sayTab(id), panel: <Panel document={document} /> })),
  ]
  return (
    <div className={styles.tabs}>
      <header className={styles.title}>
        <h1 title={titleOf(document)}>{document.path === '/' ? say('root') : titleOf(document)}</h1>
        {isWhole ? <DocumentActions document={document} /> : null}
      </header>
      <DocumentNotes document={document}>{isGone ? <Gone /> : null}</DocumentNotes>
      <Tabs
        label={titleOf(document)}
        selected={further.some(({ id }) => id === tab) ? tab : 'view'}
        onSelect={(next) => void navigate({ to: '.', search: next === 'view' ? {} : { tab: next } })}
        tabs={[
          {
            id: 'view',
            label: say(isContainer(document) ? 'content' : 'view'),
            panel: () => <Content document={document} />,
          },
          ...further.map(({ id, label, panel }) => ({
            id,
            label,
            panel: () => <Suspense fallback={<Waiting />}>{panel}</Suspense>,
          })),
        ]}
      />
    </div>
  )
}

const isCollection = (document: Document) => hasFacet(document, 'Collection')
const isContainer = (document: Document) => isFolder(document) || isCollection(document)

/** What was read of it stays, and what is being written with it. */
function Gone() {
  const say = useBrowseWords()
  return (
    <div role="alert">
      <Note icon={FileX} title={say('gone')} hint={say('goneHint')} />
    </div>
  )
}

/** What a document is, by what it can hold. */
function Content({ document }: { readonly document: Document }) {
  if (isFolder(document)) return <FolderList folder={document} />
  if (isCollection(document)) return <CollectionContent collection={document} />
  return <DocumentView document={document} />
}

function Breadcrumb({ document }: { readonly document: Document }) {
  const say = useBrowseWords()
  const above = (document.contextParameters?.breadcrumb?.entries ?? []).filter(({ uid }) => uid !== document.uid)
  return (
    <nav className={styles.path} aria-label={say('path')}>
      <ol>
        <li>
          <Link to="/browse/$" params={{ _splat: '' }}>
            {say('root')}
          </Link>
        </li>
        {above
          .filter(({ path }) => path !== '/')
          .map((one) => (
            <li key={one.uid}>
              <Link to="/browse/$" params={{ _splat: (one.path ?? '').slice(1) }} title={titleOf(one)}>
                {titleOf(one)}
              </Link>
            </li>
          ))}
      </ol>
    </nav>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton width="30%" />
      <Skeleton />
      <Skeleton width="50%" />
    </div>
  )
}
