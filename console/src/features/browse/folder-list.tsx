import { useNavigate, useSearch } from '@tanstack/react-router'
import { FolderOpen, SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { childrenOf, childrenPageSize, childrenQuery, placeOfTitle, type Sort } from '../../api/documents.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Message } from '../../ui/message.tsx'
import { SelectedCount, SelectionActions, useLongSelection } from '../bulk/long-selection.tsx'
import { usePasteKeys } from '../clipboard/use-paste-keys.ts'
import { CreateButton } from '../create/create-button.tsx'
import { DocumentListing } from '../listing/document-listing.tsx'
import { type KeptView, useKeptView } from '../listing/kept-view.ts'
import { usePages } from '../listing/use-pages.ts'
import { ViewMenu } from '../listing/view-menu.tsx'
import { useListedSchemas } from '../pieces/use-pieces.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import { UploadButton } from '../uploads/upload-button.tsx'
import styles from './browse.module.css'
import { FilterField } from './filter-field.tsx'
import { useBrowseWords } from './words.ts'

const usualSort: Sort = { by: 'dc:title', order: 'asc' }

/** What lies in a folder, however much it is. What its address says comes before what was chosen earlier. */
export function FolderList({ folder }: { readonly folder: Document }) {
  const say = useBrowseWords()
  const navigate = useNavigate()
  const { sort: by, order, filter, layout } = useSearch({ strict: false })
  const [kept, keep] = useKeptView('folders')
  const view: KeptView = { ...kept, ...(layout && { layout }) }
  const sort = useSort(by, order, kept.sort)
  const selection = useLongSelection()
  const schemas = useListedSchemas()
  const choice = { sort, ...(filter !== undefined && { filter }), withPictures: view.layout !== 'list', schemas }
  const pages = usePages({ pageSize: childrenPageSize, page: (index) => childrenQuery(folder.uid, index, choice) })
  const change = (changes: object) => void navigate({ to: '.', search: (before) => ({ ...before, ...changes }), replace: true })
  usePasteKeys(folder)
  const permissions = folder.contextParameters?.permissions
  const canAdd = permissions?.includes('AddChildren') ?? false
  return (
    <DropZone folderId={folder.uid} mayAdd={canAdd || permissions === undefined}>
      <header className={styles.head}>
        <span className={styles.quiet} role="status">
          <SelectedCount selection={selection} count={pages.count}>
            {pages.firstPage.data && say('count', { count: pages.count })}
          </SelectedCount>
        </span>
        <span className={styles.spring} />
        <SelectionActions
          selection={selection}
          count={pages.count}
          target={{ path: 'search', query: { query: childrenOf(folder.uid, filter, undefined) } }}
        >
          <FilterField value={filter ?? ''} onChange={(text) => change({ filter: text === '' ? undefined : text })} />
          <ViewMenu
            documents={pages.firstPage.data?.entries}
            view={view}
            onChange={(changes) => {
              keep(changes)
              if (changes.layout !== undefined) change({ layout: changes.layout })
            }}
          />
          {canAdd ? <UploadButton folderId={folder.uid} /> : null}
          <CreateButton folder={folder} />
        </SelectionActions>
      </header>
      <DocumentListing
        label={say('children', { folder: titleOf(folder) })}
        pages={pages}
        view={view}
        sort={sort}
        onSort={(column) => {
          const next = { by: column, order: column === sort.by && sort.order === 'asc' ? 'desc' : 'asc' } as const
          keep({ sort: next })
          change({ sort: next.by, order: next.order })
        }}
        selected={selection.selected}
        onSelect={selection.select}
        onOpen={({ path }) => void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })}
        {...(sort.by === 'dc:title' && { findTyped: (text: string) => placeOfTitle(folder.uid, text, choice) })}
        empty={
          filter === undefined ? (
            <Message icon={FolderOpen} title={say('empty')}>
              {canAdd ? <p>{say('emptyHint')}</p> : null}
            </Message>
          ) : (
            <Message icon={SearchX} title={say('nothingFits', { filter })} />
          )
        }
      />
    </DropZone>
  )
}

function useSort(by: string | undefined, order: Sort['order'] | undefined, kept: Sort | undefined): Sort {
  return useMemo(() => (by === undefined ? (kept ?? usualSort) : { by, order: order ?? 'asc' }), [by, order, kept])
}
