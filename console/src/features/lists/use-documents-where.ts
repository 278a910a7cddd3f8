import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { childrenPageSize, documentsWhereQuery, type Sort } from '../../api/documents.ts'
import { type Document, totalOf } from '../../api/types.ts'

/** With what it lies in, where one can see that. */
export interface PlacedDocument extends Document {
  readonly parent: Document | undefined
}

/** All documents that meet a condition, of which those pages are fetched that are in view. */
export function useDocumentsWhere(condition: string, sort: Sort) {
  const [[first, last], setVisible] = useState<readonly [number, number]>([0, 0])
  const onVisible = useCallback((from: number, to: number) => setVisible([from, to]), [])
  const firstPage = useQuery({ ...documentsWhereQuery(condition, 0, sort), placeholderData: keepPreviousData })
  const pages = pagesBetween(first, last)
  const loaded = useQueries({ queries: pages.map((page) => documentsWhereQuery(condition, page, sort)) })
  const rowAt = (index: number): PlacedDocument | undefined => {
    const page = Math.floor(index / childrenPageSize)
    const { entries = [], parents } = (page === 0 ? firstPage.data : loaded[pages.indexOf(page)]?.data) ?? {}
    const document = entries[index % childrenPageSize]
    return document && { ...document, parent: parents?.get(document.parentRef ?? '') }
  }
  return { firstPage, total: firstPage.data && totalOf(firstPage.data), rowAt, onVisible }
}

function pagesBetween(first: number, last: number): readonly number[] {
  const from = Math.floor(first / childrenPageSize)
  return Array.from({ length: Math.floor(last / childrenPageSize) - from + 1 }, (_, index) => from + index)
}
