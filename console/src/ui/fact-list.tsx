import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

/** Names on the left, and what they stand for beside them: `dt` and `dd` in turn. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}
