import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { administrationKeys, type EntityPage, type EntityPages, rowsAtOnce } from '../../api/administration/entity-pages.ts'

function pageQuery<Row>({ key, fetch }: EntityPages<Row>, page: number) {
  return queryOptions({
    queryKey: [...administrationKeys.all, ...key, page] as const,
    queryFn: ({ signal }): Promise<EntityPage<Row>> => fetch(page, signal),
  })
}

/** Whether the first rows have come, or will not: what is only seen beside them is asked for then, so that they do not wait for it. */
export function useFirstRowsCame<Row>(pages: EntityPages<Row>): boolean {
  const { isPending } = useQuery({ ...pageQuery(pages, 0), notifyOnChangeProps: ['isPending'] })
  return !isPending
}

/** A list of any length: its first page says how long it is, and the others are asked for as they come into view. */
export function useEntityPages<Row>(list: EntityPages<Row>) {
  const [[first, last], setVisible] = useState<readonly [number, number]>([0, 0])
  const onVisible = useCallback((from: number, to: number) => setVisible([from, to]), [])
  const firstPage = useQuery({ ...pageQuery(list, 0), placeholderData: keepPreviousData })
  const from = Math.floor(first / rowsAtOnce)
  const pages = Array.from({ length: Math.floor(last / rowsAtOnce) - from + 1 }, (_, index) => from + index)
  const further = pages.filter((page) => page > 0)
  const loaded = useQueries({ queries: further.map((page) => pageQuery(list, page)) })
  const entriesOf = (page: number) => (page === 0 ? firstPage.data : loaded[further.indexOf(page)]?.data)?.entries
  return {
    firstPage,
    count: firstPage.data?.resultsCount ?? 0,
    rowAt: (index: number): Row | undefined => entriesOf(Math.floor(index / rowsAtOnce))?.[index % rowsAtOnce],
    onVisible,
    /** Of a page that is not the first: the others are still there. */
    failed: loaded.find(({ error }) => error !== null),
  }
}
