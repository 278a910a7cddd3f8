import { type ReactNode, useState } from 'react'
import type { BulkTarget } from '../../api/bulk.ts'
import { Button } from '../../ui/button.tsx'
import { SelectionBar } from '../selection/selection-bar.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { useBulkWords } from './words.ts'

/** What is selected of a list of any length: some rows, or everything, also what was never loaded. */
export interface LongSelection {
  readonly selected: ReadonlySet<string>
  readonly isEverything: boolean
  select(keys: ReadonlySet<string>): void
  selectEverything(): void
  clear(): void
}

export function useLongSelection(): LongSelection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isEverything, setEverything] = useState(false)
  const select = (keys: ReadonlySet<string>) => {
    setEverything(false)
    setSelected(keys)
  }
  return { selected, isEverything, select, selectEverything: () => setEverything(true), clear: () => select(new Set()) }
}

interface SelectionProps {
  readonly selection: LongSelection
  /** Of the whole list. */
  readonly count: number
  /** What stands there while nothing is selected. */
  readonly children: ReactNode
}

/** How much is selected, in words. */
export function SelectedCount({ selection: { selected, isEverything }, count, children }: SelectionProps) {
  const say = useBulkWords()
  if (isEverything) return say('all', { count })
  return selected.size > 0 ? say('selected', { count: selected.size }) : children
}

/** What can be done with what is selected; `target` is everything. */
export function SelectionActions({ selection, count, target, children }: SelectionProps & { readonly target: BulkTarget }) {
  const say = useBulkWords()
  const { selected, isEverything, selectEverything, clear } = selection
  if (isEverything) return <BulkBar target={target} count={count} onClear={clear} />
  if (selected.size === 0) return children
  return (
    <>
      {selected.size < count ? (
        <Button look="quiet" onPress={selectEverything}>
          {say('selectAll', { count })}
        </Button>
      ) : null}
      <SelectionBar selected={selected} onClear={clear} />
    </>
  )
}
