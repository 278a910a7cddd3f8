import { useElementScrollRestoration } from '@tanstack/react-router'
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VirtualGrid } from '../../ui/virtual-grid.tsx'
import { VirtualTiles } from '../../ui/virtual-tiles.tsx'
import { useTakeToClipboard } from '../clipboard/add-to-clipboard.tsx'
import { usePieceColumns } from '../pieces/use-pieces.ts'
import { later } from '../problems/later.tsx'
import { Shown } from '../problems/shown.tsx'
import { useTrash } from '../trash/use-trash.ts'
import { useColumns } from './columns.tsx'
import styles from './document-listing.module.css'
import { DocumentTile } from './document-tile.tsx'
import type { KeptView } from './kept-view.ts'
import { RenameDialog } from './rename-dialog.tsx'
import type { usePages } from './use-pages.ts'
import { useListingWords } from './words.ts'

const PreviewOverlay = later(async () => (await import('../preview/preview-overlay.tsx')).PreviewOverlay, { isOver: true })

export interface DocumentListingProps {
  readonly label: string
  readonly pages: ReturnType<typeof usePages>
  readonly view: KeptView
  readonly sort?: { readonly by: string; readonly order: 'asc' | 'desc' }
  onSort?(by: string): void
  readonly selected: ReadonlySet<string>
  onSelect(keys: ReadonlySet<string>): void
  onOpen(row: Document): void
  findTyped?(text: string): Promise<number | undefined>
  /** What is said below the title. */
  readonly below?: (row: Document) => ReactNode
  /** Stands where there is nothing. */
  readonly empty: ReactNode
}

const tileSizes = { tiles: { width: 160, height: 176 }, gallery: { width: 300, height: 292 } } as const

/** Documents as a list, a grid or a gallery, with the keys that are the same in all of them. */
export function DocumentListing(props: DocumentListingProps) {
  const { label, pages, view, sort, selected, onSelect, below, empty } = props
  const say = useListingWords()
  const offered = usePieceColumns(pages.firstPage.data?.entries)
  const further = useMemo(() => offered.filter(({ field }) => !view.hidden?.includes(field)), [offered, view.hidden])
  const columns = useColumns(view.columns, further, below)
  const trash = useTrash()
  const take = useTakeToClipboard()
  const [renamed, setRenamed] = useState<Document>()
  const [looked, setLooked] = useState<string>()
  const scrollId = `listing-${view.layout}`
  const scrolled = useElementScrollRestoration({ id: scrollId })
  const renderTile = useCallback((row: Document) => <DocumentTile document={row} layout={view.layout} />, [view.layout])
  const keyPressed = (key: string, row: Document | undefined) => {
    if (row === undefined) return
    if (key === 'Delete') {
      trash(selected.size > 0 ? [...selected] : [row.uid])
      onSelect(new Set())
    } else if (key === 'Mod+C' || key === 'Mod+X') take(selected.size > 0 ? [...selected] : [row.uid], key === 'Mod+X')
    else if (key === 'F2') setRenamed(row)
    else if (key === 'p' || key === 'P') setLooked(row.uid)
  }
  const list = {
    label,
    count: pages.count,
    rowAt: pages.rowAt,
    keyOf: ({ uid }: Document) => uid,
    selected,
    onSelect,
    onOpen: props.onOpen,
    onVisible: pages.onVisible,
    onKey: keyPressed,
    scroll: { id: scrollId, offset: scrolled?.scrollY ?? 0 },
    ...(props.findTyped && { findTyped: props.findTyped }),
  }
  const { problem } = pages
  return (
    <div className={styles.listing}>
      {problem === undefined ? null : (
        <div className={styles.problem} role="alert">
          {say('failed', { reason: problem.error.message })}
          <Button onPress={problem.retry}>{say('tryAgain')}</Button>
        </div>
      )}
      <Shown query={pages.firstPage} waiting={<Waiting />}>
        {() => {
          if (pages.count === 0) return empty
          if (view.layout !== 'list') return <VirtualTiles {...list} tile={tileSizes[view.layout]} render={renderTile} />
          return (
            <VirtualGrid
              {...list}
              columns={columns}
              {...(sort && { sort })}
              {...(props.onSort && { onSort: props.onSort })}
              {...(below && { rowHeight: 60 })}
            />
          )
        }}
      </Shown>
      {renamed === undefined ? null : <RenameDialog document={renamed} onClose={() => setRenamed(undefined)} />}
      {looked === undefined ? null : (
        <Suspense>
          <PreviewOverlay id={looked} pages={pages} onClose={() => setLooked(undefined)} onOpen={props.onOpen} />
        </Suspense>
      )}
    </div>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      {['48%', '36%', '54%', '42%', '50%', '32%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}
