import { useCallback, useState } from 'react'

export const layouts = ['list', 'tiles', 'gallery'] as const
export type Layout = (typeof layouts)[number]

/** Besides the title, which is always there. */
export const columnIds = [
  'ecm:primaryType',
  'dc:modified',
  'dc:lastContributor',
  'file:content/length',
  'dc:created',
  'dc:creator',
  'version',
  'state',
] as const
export type ColumnId = (typeof columnIds)[number]

/** How somebody likes to see lists, in this browser. */
export interface KeptView {
  readonly layout: Layout
  readonly columns: readonly ColumnId[]
  /** Columns of plugins that somebody does not want. */
  readonly hidden?: readonly string[]
  /** Undefined until one was chosen. */
  readonly sort?: { readonly by: string; readonly order: 'asc' | 'desc' }
}

const usual: KeptView = { layout: 'list', columns: ['dc:modified', 'dc:lastContributor', 'file:content/length'] }

/** What was stored, as far as it is what this program stores. */
export function parseKeptView(stored: string | null): KeptView {
  let found: { layout?: unknown; columns?: unknown; hidden?: unknown; sort?: { by?: unknown; order?: unknown } }
  try {
    found = (JSON.parse(stored ?? '{}') as typeof found | null) ?? {}
  } catch {
    return usual
  }
  const columns = Array.isArray(found.columns)
    ? columnIds.filter((id) => (found.columns as unknown[]).includes(id))
    : usual.columns
  const { by, order } = found.sort ?? {}
  const isSort = typeof by === 'string' && isSortable(by) && (order === 'asc' || order === 'desc')
  return {
    layout: layouts.find((one) => one === found.layout) ?? usual.layout,
    columns,
    ...(Array.isArray(found.hidden) && { hidden: found.hidden.filter((one) => typeof one === 'string').slice(0, 100) }),
    ...(isSort && { sort: { by, order } }),
  }
}

/** A property that lists can be sorted by. */
export function isSortable(name: string): boolean {
  return /^[a-z]+:[A-Za-z]+(?:\/[A-Za-z]+)?$/.test(name)
}

/** One for each kind of list, such as folders and results. */
export function useKeptView(kind: string) {
  const name = `quire.view.${kind}`
  const [view, setView] = useState(() => parseKeptView(localStorage.getItem(name)))
  const change = useCallback(
    (changes: Partial<KeptView>) =>
      setView((before) => {
        const next = { ...before, ...changes }
        localStorage.setItem(name, JSON.stringify(next))
        return next
      }),
    [name],
  )
  return [view, change] as const
}
