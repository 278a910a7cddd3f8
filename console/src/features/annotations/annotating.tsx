import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Place } from './place.ts'

/** What is being done with the annotations of the file that is shown; shared by its pages and by what was said about it. */
export interface Annotating {
  /** The page that is looked at. */
  readonly page: number
  setPage(page: number): void
  /** Whether a place is being chosen. */
  readonly isChoosing: boolean
  setChoosing(is: boolean): void
  /** The place that was chosen, for a text that is not written yet. */
  readonly draft: Place | undefined
  setDraft(place: Place | undefined): void
  /** The annotation that was pointed at. */
  readonly selected: string | undefined
  select(id: string | undefined): void
}

const AnnotatingContext = createContext<Annotating | undefined>(undefined)

export interface AnnotatingProviderProps {
  /** Where the file is opened, and what is told when another page is. */
  readonly page: number
  onPage(page: number): void
  readonly children: ReactNode
}

export function AnnotatingProvider({ page, onPage, children }: AnnotatingProviderProps) {
  const [isChoosing, setChoosing] = useState(false)
  const [draft, setDraft] = useState<Place>()
  const [selected, select] = useState<string>()
  const annotating = useMemo(
    () => ({ page, setPage: onPage, isChoosing, setChoosing, draft, setDraft, selected, select }),
    [page, onPage, isChoosing, draft, selected],
  )
  return <AnnotatingContext value={annotating}>{children}</AnnotatingContext>
}

/** Undefined where no file is shown that could be annotated. */
export function useAnnotating(): Annotating | undefined {
  return useContext(AnnotatingContext)
}
