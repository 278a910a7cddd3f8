import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './note.module.css'

export interface NoteProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly hint?: ReactNode
  /** What can be done about it. */
  readonly children?: ReactNode
}

/** Says above something what is special about it. */
export function Note({ icon: Icon, title, hint, children }: NoteProps) {
  return (
    <aside className={styles.note}>
      <Icon size={18} aria-hidden />
      <div className={styles.text}>
        <strong>{title}</strong>
        {hint === undefined ? null : <span> {hint}</span>}
      </div>
      {children === undefined ? null : <div className={styles.actions}>{children}</div>}
    </aside>
  )
}
