import { Columns3, GalleryHorizontalEnd, LayoutGrid, List } from 'lucide-react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useFieldNames } from '../forms/words.ts'
import { usePieceColumns, usePieceTexts } from '../pieces/use-pieces.ts'
import styles from './document-listing.module.css'
import { type ColumnId, columnIds, type KeptView, type Layout, layouts } from './kept-view.ts'
import { useListingWords } from './words.ts'

const icons = { list: List, tiles: LayoutGrid, gallery: GalleryHorizontalEnd } as const

export interface ViewMenuProps {
  /** What is listed: plugins may have columns for it. */
  readonly documents?: readonly Document[]
  readonly view: KeptView
  onChange(changes: Partial<KeptView>): void
}

/** How a list is shown: its layout, and in a list which columns. */
export function ViewMenu({ documents, view, onChange }: ViewMenuProps) {
  const say = useListingWords()
  const textOf = usePieceTexts()
  const nameOf = useFieldNames()
  const own = usePieceColumns(documents)
  const shownOwn = own.map(({ field }) => field).filter((field) => !view.hidden?.includes(field))
  return (
    <div className={styles.tools}>
      {view.layout === 'list' ? (
        <Menu
          trigger={
            <Button look="quiet" aria-label={say('columns')}>
              <Columns3 size={16} aria-hidden />
            </Button>
          }
          aria-label={say('columns')}
          selectionMode="multiple"
          selectedKeys={[...shownOwn, ...view.columns]}
          onSelectionChange={(keys) =>
            onChange({
              columns: columnIds.filter((id) => keys === 'all' || (keys as ReadonlySet<ColumnId>).has(id)),
              hidden: [
                ...(view.hidden ?? []).filter((field) => !own.some((column) => column.field === field)),
                ...own.map(({ field }) => field).filter((field) => keys !== 'all' && !keys.has(field)),
              ],
            })
          }
        >
          {[
            ...own.map(({ field, label }) => (
              <MenuItem key={field} id={field}>
                {label === undefined ? nameOf(field) : textOf(label)}
              </MenuItem>
            )),
            ...columnIds.map((id) => (
              <MenuItem key={id} id={id}>
                {say(id)}
              </MenuItem>
            )),
          ]}
        </Menu>
      ) : null}
      <ToggleButtonGroup
        className={styles.layouts}
        aria-label={say('layout')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[view.layout]}
        onSelectionChange={(keys) => onChange({ layout: [...keys][0] as Layout })}
      >
        {layouts.map((layout) => {
          const Icon = icons[layout]
          return (
            <ToggleButton key={layout} id={layout} className={styles.layout} aria-label={say(layout)}>
              <Icon size={16} aria-hidden />
            </ToggleButton>
          )
        })}
      </ToggleButtonGroup>
    </div>
  )
}
