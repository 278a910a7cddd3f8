import type { ReactNode } from 'react'
import { ConfirmedChange } from './confirmed-change.tsx'
import styles from './detail.module.css'
import { usePlace } from './use-place.ts'

export interface DetailProps {
  readonly title: string
  /** What tells it from others of that title. */
  readonly id: string
  /** What is special about it, in a word. */
  readonly badge?: string | undefined
  readonly children: ReactNode
}

/** One of a list, looked at beside it: its name, and its parts below each other. */
export function Detail({ title, id, badge, children }: DetailProps) {
  return (
    <div className={styles.detail}>
      <header>
        <div className={styles.name}>
          <h2>{title}</h2>
          {badge === undefined ? null : <span className={styles.badge}>{badge}</span>}
        </div>
        <span className={styles.quiet}>{id}</span>
      </header>
      {children}
    </div>
  )
}

export interface RemoveButtonProps {
  readonly words: {
    readonly remove: string
    readonly title: string
    readonly sentence: string
    readonly cancel: string
    /** Told once it is done. */
    readonly removed: string
  }
  remove(): Promise<unknown>
  /** Where one is led then; to the list of the screen unless told. */
  leave?(): Promise<unknown>
}

/** Removes what is looked at, once that is confirmed, and leads back to the list. */
export function RemoveButton({ words: { remove: label, removed: done, ...words }, remove, leave }: RemoveButtonProps) {
  const { screen, search, goTo } = usePlace()
  // The list is shown before everything is asked for anew: of what is gone there is nothing to ask, nor to save.
  const run = async () => {
    await remove()
    await (leave === undefined ? goTo(screen, search, { ignoreBlocker: true }) : leave())
  }
  return <ConfirmedChange words={{ ...words, label, done }} run={run} />
}
