import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type MouseEvent, memo, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useCursor } from './use-cursor.ts'
import { useFocusIfNowhere, useStable, type VirtualList } from './virtual-grid.tsx'
import styles from './virtual-tiles.module.css'

export interface VirtualTilesProps<Row> extends VirtualList<Row> {
  /** How wide a tile is at least, and how high. */
  readonly tile: { readonly width: number; readonly height: number }
  readonly render: (row: Row) => ReactNode
}

const gap = 12
const overscan = 2

/** As many tiles as wanted, as many beside each other as there is room for. */
export function VirtualTiles<Row>(props: VirtualTilesProps<Row>) {
  const { label, count, rowAt, keyOf, selected, onOpen, onVisible, tile, render, scroll } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const perLine = Math.max(1, Math.floor((useWidth(scroller) - gap) / (tile.width + gap)))
  const lines = Math.ceil(count / perLine)
  const virtual = useVirtualizer({
    count: lines,
    getScrollElement: () => scroller.current,
    estimateSize: () => tile.height + gap,
    overscan,
    initialOffset: scroll?.offset ?? 0,
    paddingStart: gap,
  })
  const items = virtual.getVirtualItems()
  const first = (items[0]?.index ?? 0) * perLine
  const last = Math.min(count, ((items.at(-1)?.index ?? 0) + 1) * perLine) - 1
  useEffect(() => onVisible(first, Math.max(first, last)), [first, last, onVisible])
  useFocusIfNowhere(scroller)
  const { current, pressed, clicked } = useCursor({
    ...props,
    perLine,
    linesInView: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / (tile.height + gap)) - 1),
    reveal: (index) => virtual.scrollToIndex(Math.floor(index / perLine)),
  })
  const handlers = useStable({ clicked, onOpen })
  const sizes = { '--per-line': perLine, '--tile-height': `${tile.height}px`, '--gap': `${gap}px` } as CSSProperties
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={sizes}
      role="grid"
      aria-label={label}
      aria-rowcount={lines}
      aria-colcount={perLine}
      aria-multiselectable
      aria-activedescendant={count > 0 ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={pressed}
      {...(scroll && { 'data-scroll-restoration-id': scroll.id })}
    >
      <div role="rowgroup" style={{ blockSize: virtual.getTotalSize(), position: 'relative' }}>
        {items.map(({ index: line, start }) => (
          <div
            key={line}
            className={styles.line}
            role="row"
            aria-rowindex={line + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {Array.from({ length: Math.min(perLine, count - line * perLine) }, (_, column) => {
              const index = line * perLine + column
              const row = rowAt(index)
              return (
                <Tile
                  key={index}
                  id={`${id}-${index}`}
                  index={index}
                  row={row}
                  render={render as (row: unknown) => ReactNode}
                  isSelected={row !== undefined && selected.has(keyOf(row))}
                  isCurrent={index === current}
                  handlers={handlers as TileHandlers}
                />
              )
            })}
          </div>
        ))}
      </div>
    </div>
  )
}

interface TileHandlers {
  clicked(index: number, event: MouseEvent): void
  onOpen(row: unknown): void
}

interface TileProps {
  readonly id: string
  readonly index: number
  readonly row: unknown
  render(row: unknown): ReactNode
  readonly isSelected: boolean
  readonly isCurrent: boolean
  readonly handlers: TileHandlers
}

const Tile = memo(function Tile({ id, index, row, render, isSelected, isCurrent, handlers }: TileProps) {
  return (
    // Keys are handled where the focus is, on the grid.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={id}
      className={styles.tile}
      role="gridcell"
      aria-selected={isSelected}
      data-current={isCurrent}
      onClick={(event) => handlers.clicked(index, event)}
      onDoubleClick={() => row !== undefined && handlers.onOpen(row)}
    >
      {row === undefined ? null : render(row)}
    </div>
  )
})

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
