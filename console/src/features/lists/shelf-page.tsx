import type { ReactNode } from 'react'
import styles from './shelf-page.module.css'

export interface ShelfPageProps {
  readonly title: string
  /** What it is for, in a sentence. */
  readonly hint?: string
  readonly children: ReactNode
}

/** A page that is one list, filling what there is of the window. */
export function ShelfPage({ title, hint, children }: ShelfPageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{title}</h1>
        {hint === undefined ? null : <p>{hint}</p>}
      </header>
      {children}
    </div>
  )
}
