import type { ReactNode } from 'react'
import type { EntityPages } from '../../api/administration/entity-pages.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, VirtualGrid } from '../../ui/virtual-grid.tsx'
import { Refused, Shown } from '../problems/shown.tsx'
import styles from './administration.module.css'
import { useEntityPages } from './use-entity-pages.ts'

export interface EntityListProps<Row> {
  readonly label: string
  readonly pages: EntityPages<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** The one that is looked at beside the list. */
  readonly open?: string
  onOpen?(row: Row): void
  /** Says how many there are. */
  readonly counted: (count: number) => string
  /** Stands where there are none. */
  readonly empty: ReactNode
  readonly rowHeight?: number
}

/** Any number of anything that administrators look after. */
export function EntityList<Row>(props: EntityListProps<Row>) {
  const { label, pages, columns, keyOf, open, onOpen, counted, empty, rowHeight } = props
  const { firstPage, count, rowAt, onVisible, failed } = useEntityPages(pages)
  return (
    <Shown query={firstPage} waiting={<Waiting />}>
      {() => (
        <div className={styles.list}>
          <p className={styles.count} role="status">
            {counted(count)}
          </p>
          {failed === undefined ? null : <Refused error={failed.error} onRetry={() => void failed.refetch()} />}
          {count === 0 ? (
            empty
          ) : (
            <VirtualGrid
              label={label}
              columns={columns}
              count={count}
              rowAt={rowAt}
              keyOf={keyOf}
              selected={new Set(open === undefined ? [] : [open])}
              onSelect={() => undefined}
              onOpen={(row) => onOpen?.(row)}
              onVisible={onVisible}
              {...(rowHeight !== undefined && { rowHeight })}
            />
          )}
        </div>
      )}
    </Shown>
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
