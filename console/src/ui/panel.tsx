import { type ReactNode, useId } from 'react'
import styles from './panel.module.css'

export interface PanelProps {
  readonly title: string
  /** What can be done, beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One of several parts beside something, each under a title of its own. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
