import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import styles from './virtual-grid.module.css'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** A track of a CSS grid: `1fr`, `120px`. */
  readonly width: string
  readonly isSortable?: boolean
  /** Left out where there is little room. */
  readonly isMinor?: boolean
  render(row: Row): ReactNode
}

export interface VirtualGridProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly count: number
  /** Undefined while it is on its way. */
  rowAt(index: number): Row | undefined
  readonly keyOf: (row: Row) => string
  readonly selected: ReadonlySet<string>
  onSelect(keys: ReadonlySet<string>): void
  onOpen(row: Row): void
  readonly sort: { readonly by: string; readonly order: 'asc' | 'desc' }
  onSort(by: string): void
  /** Called with the rows that are in view, so that they can be fetched. */
  onVisible(first: number, last: number): void
  /** Other keys, with the row that is current. */
  onKey?(key: string, row: Row | undefined): void
}

const overscan = 12

/**
 * A table of any length of which only what is in view exists. One row is current and has the keys; which are selected is the
 * caller's to keep, as selections outlive pages.
 */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { label, columns, count, rowAt, keyOf, selected, onOpen, sort, onSort, onVisible } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const anchor = useRef(0)
  const id = useId()
  const rowHeight = useRowHeight()
  const virtual = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowHeight, overscan })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onVisible(first, last), [first, last, onVisible])

  const go = (index: number, extend: boolean) => {
    const next = Math.max(0, Math.min(count - 1, index))
    setCurrent(next)
    virtual.scrollToIndex(next)
    if (extend) selectRange(next)
    else anchor.current = next
  }

  const selectRange = (to: number) => {
    const [from, until] = [Math.min(anchor.current, to), Math.max(anchor.current, to)]
    const keys = new Set<string>()
    for (let index = from; index <= until; index++) {
      const row = rowAt(index)
      if (row !== undefined) keys.add(keyOf(row))
    }
    props.onSelect(keys)
  }

  const toggle = (index: number) => {
    const row = rowAt(index)
    if (row === undefined) return
    props.onSelect(selected.symmetricDifference(new Set([keyOf(row)])))
    anchor.current = index
  }

  const pageRows = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2)
  const moves: { readonly [key: string]: () => number } = {
    ArrowDown: () => current + 1,
    ArrowUp: () => current - 1,
    PageDown: () => current + pageRows(),
    PageUp: () => current - pageRows(),
    Home: () => 0,
    End: () => count - 1,
  }

  const pressed = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const move = moves[event.key]
    const row = rowAt(current)
    if (move !== undefined) go(move(), event.shiftKey)
    else if (event.key === 'Enter' && row !== undefined) onOpen(row)
    else if (event.key === ' ') toggle(current)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      anchor.current = 0
      selectRange(count - 1)
    } else if (event.key === 'Escape') props.onSelect(new Set())
    else {
      props.onKey?.(event.key, row)
      return
    }
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={
        {
          '--columns': tracksOf(columns),
          '--narrow-columns': tracksOf(columns.filter(({ isMinor }) => !isMinor)),
        } as CSSProperties
      }
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-multiselectable
      aria-activedescendant={count > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={pressed}
    >
      <div className={styles.head} role="row" aria-rowindex={1}>
        {columns.map(({ id: column, label: name, isSortable, isMinor }) => (
          <div key={column} className={styles.cell} data-narrow={!isMinor} role="columnheader" aria-sort={sortOf(column, sort)}>
            {isSortable ? (
              <button type="button" className={styles.sort} onClick={() => onSort(column)}>
                {name} {column === sort.by ? <span aria-hidden>{sort.order === 'asc' ? '↑' : '↓'}</span> : null}
              </button>
            ) : (
              name
            )}
          </div>
        ))}
      </div>
      <div role="rowgroup" style={{ blockSize: virtual.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }) => {
          const row = rowAt(index)
          const key = row === undefined ? undefined : keyOf(row)
          return (
            // Keys are handled where the focus is, on the grid.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={index}
              id={`${id}-${index}`}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={key !== undefined && selected.has(key)}
              data-current={index === current}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey) toggle(index)
                else go(index, event.shiftKey)
              }}
              onDoubleClick={() => row !== undefined && onOpen(row)}
            >
              {columns.map((column) => (
                <div key={column.id} className={styles.cell} data-narrow={!column.isMinor} role="gridcell">
                  {row === undefined ? null : column.render(row)}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const tracksOf = (columns: readonly { readonly width: string }[]) => columns.map(({ width }) => width).join(' ')

function sortOf(column: string, sort: { readonly by: string; readonly order: 'asc' | 'desc' }) {
  if (column !== sort.by) return undefined
  return sort.order === 'asc' ? 'ascending' : 'descending'
}

/** As the density says. */
function useRowHeight(): number {
  return document.documentElement.dataset['density'] === 'compact' ? 32 : 40
}
