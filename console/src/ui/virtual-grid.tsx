import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type MouseEvent, memo, type ReactNode, useEffect, useId, useRef } from 'react'
import { useCursor } from './use-cursor.ts'
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

/** Many things of which only those in view exist, as a table or as tiles. */
export interface VirtualList<Row> {
  readonly label: string
  readonly count: number
  /** Undefined while it is on its way. */
  rowAt(index: number): Row | undefined
  readonly keyOf: (row: Row) => string
  readonly selected: ReadonlySet<string>
  onSelect(keys: ReadonlySet<string>): void
  onOpen(row: Row): void
  /** Called with those that are in view, so that they can be fetched. */
  onVisible(first: number, last: number): void
  /** Other keys, with the row that is current. */
  onKey?(key: string, row: Row | undefined): void
  /** Where the first row is whose name begins so, or comes after it. */
  findTyped?(text: string): Promise<number | undefined>
  /** Names how far it was scrolled, so that coming back leads there. */
  readonly scroll?: { readonly id: string; readonly offset: number }
}

export interface VirtualGridProps<Row> extends VirtualList<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort?: { readonly by: string; readonly order: 'asc' | 'desc' }
  onSort?(by: string): void
  /** Of a row with two lines. */
  readonly rowHeight?: number
}

const overscan = 8

/** A table of any length. */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { label, columns, count, rowAt, keyOf, selected, onOpen, sort, onSort, onVisible, scroll } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const usualHeight = useRowHeight()
  const rowHeight = props.rowHeight ?? usualHeight
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    initialOffset: scroll?.offset ?? 0,
    scrollPaddingStart: headHeight,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => onVisible(first, last), [first, last, onVisible])
  useFocusIfNowhere(scroller)
  const { current, pressed, clicked } = useCursor({
    ...props,
    perLine: 1,
    linesInView: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2),
    reveal: (index) => virtual.scrollToIndex(index),
  })
  const handlers = useStable({ clicked, onOpen })

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={
        {
          '--columns': tracksOf(columns),
          '--narrow-columns': tracksOf(columns.filter(({ isMinor }) => !isMinor)),
          '--row-height': `${rowHeight}px`,
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
      {...(scroll && { 'data-scroll-restoration-id': scroll.id })}
    >
      <div className={styles.head} role="row" aria-rowindex={1}>
        {columns.map(({ id: column, label: name, isSortable, isMinor }) => (
          <div key={column} className={styles.cell} data-narrow={!isMinor} role="columnheader" aria-sort={sortOf(column, sort)}>
            {isSortable && onSort ? (
              <button type="button" className={styles.sort} onClick={() => onSort(column)}>
                {name} {column === sort?.by ? <span aria-hidden>{sort.order === 'asc' ? '↑' : '↓'}</span> : null}
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
          return (
            <GridRow
              key={index}
              id={`${id}-${index}`}
              index={index}
              start={start}
              row={row}
              columns={columns as readonly Column<unknown>[]}
              isSelected={row !== undefined && selected.has(keyOf(row))}
              isCurrent={index === current}
              handlers={handlers as RowHandlers}
            />
          )
        })}
      </div>
    </div>
  )
}

interface RowHandlers {
  clicked(index: number, event: MouseEvent): void
  onOpen(row: unknown): void
}

interface GridRowProps {
  readonly id: string
  readonly index: number
  readonly start: number
  readonly row: unknown
  readonly columns: readonly Column<unknown>[]
  readonly isSelected: boolean
  readonly isCurrent: boolean
  readonly handlers: RowHandlers
}

/** Drawn again only when something of it has changed: while a list scrolls, the rows that stay cost nothing. */
const GridRow = memo(function GridRow({ id, index, start, row, columns, isSelected, isCurrent, handlers }: GridRowProps) {
  return (
    // Keys are handled where the focus is, on the grid.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={id}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-current={isCurrent}
      onClick={(event) => handlers.clicked(index, event)}
      onDoubleClick={() => row !== undefined && handlers.onOpen(row)}
    >
      {columns.map((column) => (
        <div key={column.id} className={styles.cell} data-narrow={!column.isMinor} role="gridcell">
          {row === undefined ? null : column.render(row)}
        </div>
      ))}
    </div>
  )
})

const headHeight = 36

const tracksOf = (columns: readonly { readonly width: string }[]) => columns.map(({ width }) => width).join(' ')

function sortOf(column: string, sort: VirtualGridProps<unknown>['sort']) {
  if (column !== sort?.by) return undefined
  return sort.order === 'asc' ? 'ascending' : 'descending'
}

/** As the density says. */
function useRowHeight(): number {
  return document.documentElement.dataset['density'] === 'compact' ? 32 : 40
}

/** The same object for every drawing, which calls what the last one was given. */
export function useStable<Handlers extends { readonly [name: string]: (...values: never[]) => unknown }>(
  handlers: Handlers,
): Handlers {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const stable = useRef<Handlers>(undefined)
  stable.current ??= Object.fromEntries(
    Object.keys(handlers).map((name) => [name, (...values: never[]) => latest.current[name]?.(...values)]),
  ) as Handlers
  return stable.current
}

/** Who came here by a key goes on by keys: a list takes the focus that the page before it has lost. */
export function useFocusIfNowhere(element: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const active = document.activeElement
    const isNowhere = active === null || active === document.body || active.tagName === 'MAIN'
    // Not on a page that has just been opened: nobody has begun there.
    if (isNowhere && navigator.userActivation.hasBeenActive) element.current?.focus({ preventScroll: true })
  }, [element])
}
