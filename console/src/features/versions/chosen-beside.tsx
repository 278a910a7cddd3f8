import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './versions.module.css'

interface ChosenBesideProps {
  readonly list: ReactNode
  /** What is chosen of the list, if anything is. */
  readonly chosen: ReactNode | null
  readonly words: { readonly chosen: string; readonly back: string }
}

/** A list of versions with the chosen one beside it, or in its place where there is no room for both. */
export function ChosenBeside({ list, chosen, words }: ChosenBesideProps) {
  return (
    <div className={styles.page} data-chosen={chosen !== null}>
      {list}
      {chosen === null ? null : (
        <section className={styles.detail} aria-label={words.chosen}>
          <Link to="." search={{ tab: 'versions' }} className={styles.back}>
            <ArrowLeft size={16} aria-hidden />
            {words.back}
          </Link>
          {chosen}
        </section>
      )}
    </div>
  )
}
