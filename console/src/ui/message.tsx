import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './message.module.css'

export interface MessageProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly kind?: 'empty' | 'problem'
  /** It is all that the page has. */
  readonly isPage?: boolean
  readonly children?: ReactNode
}

/** Stands where there is nothing to show: why, and what to do next. */
export function Message({ icon: Icon, title, kind = 'empty', isPage = false, children }: MessageProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={styles.message} data-kind={kind} role={kind === 'problem' ? 'alert' : undefined}>
      <Icon size={32} strokeWidth={1.5} aria-hidden />
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}
