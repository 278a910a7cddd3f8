import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Sort } from '../../api/documents.ts'
import { mainFileOf, propertyOf } from '../../api/types.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, VirtualGrid } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import type { SelectionAction } from '../selection/selection-action.ts'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { TagChips } from '../tags/tag-chips.tsx'
import styles from './document-list.module.css'
import { type PlacedDocument, useDocumentsWhere } from './use-documents-where.ts'
import { useListWords } from './words.ts'

export interface DocumentListProps {
  readonly label: string
  /** Which documents: what stands after WHERE. */
  readonly condition: string
  readonly columns?: readonly Column<PlacedDocument>[]
  /** How it is sorted until somebody chooses otherwise. */
  readonly sort?: Sort
  /** What can be done with what is selected; undefined is what can be done anywhere. */
  readonly actions?: readonly SelectionAction[]
  /** What can be done here while nothing is selected. */
  readonly toolbar?: ReactNode
  /** Stands between what can be done and the list. */
  readonly note?: ReactNode
  /** Stands where there are none. */
  readonly empty: ReactNode
  /** The key Delete, with what it is about. */
  onDelete?(ids: readonly string[]): void
}

const byTitle: Sort = { by: 'dc:title', order: 'asc' }

/** Documents from anywhere, however many: what favorites, collections, tags and the trash are shown with. */
export function DocumentList(props: DocumentListProps) {
  const { label, condition, columns, sort = byTitle, actions, toolbar, note, empty, onDelete } = props
  const say = useListWords()
  const navigate = useNavigate()
  const usual = useUsualColumns()
  const [sorted, setSorted] = useState(sort)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { firstPage, total, rowAt, onVisible } = useDocumentsWhere(condition, sorted)
  const clear = () => setSelected(new Set())
  // For a finger and a mouse alone; keys select where the focus is, on the list.
  const selectColumn: Column<PlacedDocument> = {
    id: 'select',
    label: '✓',
    width: '32px',
    render: ({ uid, title }) => (
      <input
        type="checkbox"
        className={styles.check}
        tabIndex={-1}
        aria-label={say('select', { title })}
        checked={selected.has(uid)}
        onClick={(event) => event.stopPropagation()}
        onChange={() => setSelected(selected.symmetricDifference(new Set([uid])))}
      />
    ),
  }
  return (
    <div className={styles.list}>
      <header className={styles.head}>
        <span className={styles.quiet} role="status">
          {selected.size > 0
            ? say('selected', { count: selected.size })
            : total !== undefined && total > 0 && say('count', { count: total })}
        </span>
        <span className={styles.spring} />
        {selected.size > 0 ? <SelectionBar selected={selected} onClear={clear} actions={actions} /> : toolbar}
      </header>
      {note}
      <Shown query={firstPage} waiting={<Waiting />}>
        {() =>
          total === 0 ? (
            empty
          ) : (
            <VirtualGrid
              label={label}
              columns={[selectColumn, ...(columns ?? usual)]}
              count={total ?? 0}
              rowAt={rowAt}
              keyOf={({ uid }) => uid}
              selected={selected}
              onSelect={setSelected}
              onOpen={({ path }) => void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })}
              sort={sorted}
              onSort={(by) => setSorted({ by, order: by === sorted.by && sorted.order === 'asc' ? 'desc' : 'asc' })}
              onVisible={onVisible}
              onKey={(key, row) => {
                if (key !== 'Delete' || row === undefined || onDelete === undefined) return
                onDelete(selected.size > 0 ? [...selected] : [row.uid])
                clear()
              }}
            />
          )
        }
      </Shown>
    </div>
  )
}

/** What a document is called, where it lies, when it was changed. */
function useUsualColumns(): readonly Column<PlacedDocument>[] {
  const say = useListWords()
  const { ago, size } = useFormats()
  return [
    {
      id: 'dc:title',
      label: say('title'),
      width: 'minmax(120px, 3fr)',
      isSortable: true,
      render: (row) => (
        <span className={styles.title}>
          <DocumentLink document={row} />
          <TagChips document={row} />
        </span>
      ),
    },
    {
      id: 'ecm:path',
      label: say('place'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: (row) => <PlaceOf row={row} />,
    },
    {
      id: 'dc:modified',
      label: say('modified'),
      width: '130px',
      isSortable: true,
      render: (row) => ago(propertyOf(row, 'dc:modified')),
    },
    { id: 'size', label: say('size'), width: '90px', isMinor: true, render: (row) => size(mainFileOf(row)?.length) },
  ]
}

/** The folder that a document lies in. */
export function PlaceOf({ row: { parent, path } }: { readonly row: PlacedDocument }) {
  return parent === undefined ? (
    <span className={styles.quiet}>{(path ?? '').split('/').at(-2)}</span>
  ) : (
    <DocumentLink document={parent} />
  )
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton width="40%" />
      <Skeleton />
      <Skeleton width="50%" />
    </div>
  )
}
