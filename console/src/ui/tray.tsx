import type { ReactNode } from 'react'
import styles from './tray.module.css'

export interface TrayProps {
  readonly label: string
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Something that goes on while one walks through the pages: it stands in a corner, above others of its kind. */
export function Tray({ label, title, actions, children }: TrayProps) {
  return (
    <section className={styles.tray} aria-label={label}>
      <div className={styles.head}>
        <h2 role="status">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** The corner. */
export function Trays({ children }: { readonly children: ReactNode }) {
  return <div className={styles.trays}>{children}</div>
}
