import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { PageQuery } from '../../api/documents.ts'
import { type Document, totalOf } from '../../api/types.ts'

/** Where the rows of a list come from, a page at a time. */
export interface ListSource {
  readonly pageSize: number
  page(index: number): PageQuery
}

/** A list of any length: its first page says how long it is, and the others are asked for as they come into view. */
export function usePages(source: ListSource) {
  const { pageSize } = source
  const [[first, last], setVisible] = useState<readonly [number, number]>([0, 0])
  const onVisible = useCallback((from: number, to: number) => setVisible([from, to]), [])
  const firstPage = useQuery({ ...source.page(0), placeholderData: keepPreviousData })
  const pages = pagesBetween(first, last, pageSize).filter((page) => page > 0)
  const loaded = useQueries({ queries: pages.map((page) => source.page(page)) })
  const entriesOf = (page: number) => (page === 0 ? firstPage.data : loaded[pages.indexOf(page)]?.data)?.entries
  const failed = loaded.find(({ error }) => error !== null)
  return {
    firstPage,
    count: firstPage.data === undefined ? 0 : totalOf(firstPage.data),
    rowAt: (index: number): Document | undefined => entriesOf(Math.floor(index / pageSize))?.[index % pageSize],
    onVisible,
    /** Of a page that is not the first: the others are still there. */
    problem: failed && { error: failed.error as Error, retry: () => void failed.refetch() },
  }
}

function pagesBetween(first: number, last: number, pageSize: number): readonly number[] {
  const from = Math.floor(first / pageSize)
  return Array.from({ length: Math.floor(last / pageSize) - from + 1 }, (_, index) => from + index)
}
