import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type PieceComponent, type PieceLayout, type Pieces, type PieceText, piecesQuery } from '../../api/pieces.ts'
import type { Document } from '../../api/types.ts'
import { useLanguage } from '../../words/words.ts'

const none: Pieces = { 'entity-type': 'consolePieces', apiVersion: 0, layouts: [], widgets: [], tabs: [], actions: [], pages: [] }

/** What plugins add; nothing while that cannot be had. */
export function usePieces(): Pieces {
  return useQuery(piecesQuery).data ?? none
}

export function useLayoutOf(type: string): PieceLayout | undefined {
  return usePieces().layouts.find(({ types }) => types.includes(type))
}

export function usePieceTexts(): (text: PieceText) => string {
  const language = useLanguage()
  return useMemo(() => (text) => text[language], [language])
}

export function useWidget(layout: PieceLayout | undefined, name: string | undefined): PieceComponent | undefined {
  return usePieces().widgets.find((widget) => widget.plugin === layout?.plugin && widget.name === name)
}

export type PieceColumn = PieceLayout['columns'][number]

/** The schemas that lists have to be asked for, so that columns of plugins are filled. */
export function useListedSchemas(): readonly string[] {
  const { layouts } = usePieces()
  return useMemo(() => [...new Set(layouts.flatMap(({ columns }) => columns.map(({ schema }) => schema)))], [layouts])
}

/** The columns of plugins that a list with these documents has. */
export function usePieceColumns(documents: readonly Document[] | undefined): readonly PieceColumn[] {
  const { layouts } = usePieces()
  return useMemo(() => {
    const types = new Set(documents?.map(({ type }) => type))
    const columns = layouts.filter((layout) => layout.types.some((type) => types.has(type))).flatMap((layout) => layout.columns)
    return [...new Map(columns.map((column) => [column.field, column])).values()]
  }, [layouts, documents])
}
