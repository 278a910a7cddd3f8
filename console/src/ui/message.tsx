import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './message.module.css'

export interface MessageProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly kind?: 'empty' | 'problem'
  readonly children?: ReactNode
}

/** Stands where there is nothing to show: why, and what to do next. */
export function Message({ icon: Icon, title, kind = 'empty', children }: MessageProps) {
  return (
    <div className={styles.message} data-kind={kind} role={kind === 'problem' ? 'alert' : undefined}>
      <Icon size={32} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
