import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FolderOpen } from 'lucide-react'
import { useCallback, useState } from 'react'
import { childrenPageSize, childrenQuery, type Sort } from '../../api/documents.ts'
import { type Document, mainFileOf, propertyOf, totalOf } from '../../api/types.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, VirtualGrid } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { CreateButton } from '../create/create-button.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { TagChips } from '../tags/tag-chips.tsx'
import { useTrash } from '../trash/use-trash.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import { UploadButton } from '../uploads/upload-button.tsx'
import styles from './browse.module.css'
import { useBrowseWords } from './words.ts'

const route = getRouteApi('/browse/$')
const defaultSort: Sort = { by: 'dc:title', order: 'asc' }

/** What lies in a folder, however much it is: pages are fetched as they come into view. */
export function FolderList({ folder }: { readonly folder: Document }) {
  const say = useBrowseWords()
  const navigate = route.useNavigate()
  const { sort: by = defaultSort.by, order = defaultSort.order } = route.useSearch()
  const sort = { by, order }
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [[first, last], setVisible] = useState<readonly [number, number]>([0, 0])
  const onVisible = useCallback((from: number, to: number) => setVisible([from, to]), [])
  const firstPage = useQuery({ ...childrenQuery(folder.uid, 0, sort), placeholderData: keepPreviousData })
  const pages = pagesBetween(first, last)
  const loaded = useQueries({ queries: pages.map((page) => childrenQuery(folder.uid, page, sort)) })
  const entriesOf = (page: number) => (page === 0 ? firstPage.data : loaded[pages.indexOf(page)]?.data)?.entries
  const rowAt = (index: number) => entriesOf(Math.floor(index / childrenPageSize))?.[index % childrenPageSize]
  const columns = useColumns()
  const trash = useTrash()
  const canAdd = folder.contextParameters?.permissions?.includes('AddChildren') ?? false
  return (
    <DropZone folderId={folder.uid}>
      <header className={styles.head}>
        <span className={styles.quiet} role="status">
          {selected.size > 0
            ? say('selected', { count: selected.size })
            : firstPage.data && say('count', { count: totalOf(firstPage.data) })}
        </span>
        <span className={styles.spring} />
        {selected.size > 0 ? (
          <SelectionBar selected={selected} onClear={() => setSelected(new Set())} />
        ) : (
          <>
            {canAdd ? <UploadButton folderId={folder.uid} /> : null}
            <CreateButton folder={folder} />
          </>
        )}
      </header>
      <Shown query={firstPage} waiting={<Skeleton />}>
        {(page) =>
          totalOf(page) === 0 ? (
            <Message icon={FolderOpen} title={say('empty')}>
              <p>{say('emptyHint')}</p>
            </Message>
          ) : (
            <VirtualGrid
              label={say('children', { folder: folder.title })}
              columns={columns}
              count={totalOf(page)}
              rowAt={rowAt}
              keyOf={({ uid }) => uid}
              selected={selected}
              onSelect={setSelected}
              onOpen={({ path }) => void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })}
              sort={sort}
              onSort={(column) =>
                void navigate({
                  search: { sort: column, order: column === by && order === 'asc' ? 'desc' : 'asc' },
                  replace: true,
                })
              }
              onVisible={onVisible}
              onKey={(key, row) => {
                if (key !== 'Delete' || row === undefined) return
                trash(selected.size > 0 ? [...selected] : [row.uid])
                setSelected(new Set())
              }}
            />
          )
        }
      </Shown>
    </DropZone>
  )
}

function useColumns(): readonly Column<Document>[] {
  const say = useBrowseWords()
  const { ago, size } = useFormats()
  return [
    {
      id: 'dc:title',
      label: say('title'),
      width: 'minmax(0, 1fr)',
      isSortable: true,
      render: (row) => (
        <span className={styles.name}>
          <DocumentLink document={row} />
          <TagChips document={row} />
        </span>
      ),
    },
    {
      id: 'dc:modified',
      label: say('modified'),
      width: '140px',
      isSortable: true,
      render: (row) => ago(propertyOf(row, 'dc:modified')),
    },
    {
      id: 'dc:lastContributor',
      label: say('contributor'),
      width: '140px',
      isMinor: true,
      render: (row) => propertyOf(row, 'dc:lastContributor'),
    },
    { id: 'file:content', label: say('size'), width: '90px', isMinor: true, render: (row) => size(mainFileOf(row)?.length) },
  ]
}

function pagesBetween(first: number, last: number): readonly number[] {
  const from = Math.floor(first / childrenPageSize)
  return Array.from({ length: Math.floor(last / childrenPageSize) - from + 1 }, (_, index) => from + index)
}
