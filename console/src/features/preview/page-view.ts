import type { ReactNode } from 'react'

/** The page of a file that is looked at, and what lies over it. */
export interface PageView {
  readonly page: number
  onPage(page: number): void
  layer(page: number): ReactNode
}
