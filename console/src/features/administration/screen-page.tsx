import { Link } from '@tanstack/react-router'
import { ArrowLeft, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTypedText } from '../../ui/use-typed-text.ts'
import styles from './administration.module.css'
import { type PlaceSearch, type SearchName, usePlace } from './use-place.ts'
import { useAdministrationWords } from './words.ts'

export interface ScreenPageProps {
  readonly title: string
  /** What it is for, in a sentence. */
  readonly hint?: string
  /** What can be looked for and done here. */
  readonly tools?: ReactNode
  /** As long as what it has, and no less than the window; else it fills what there is of the window. */
  readonly flows?: boolean
  readonly children: ReactNode
}

export function ScreenPage({ title, hint, tools, flows = false, children }: ScreenPageProps) {
  return (
    <div className={styles.page} data-flows={flows}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {hint === undefined ? null : <p>{hint}</p>}
        </div>
        {tools === undefined ? null : <div className={styles.tools}>{tools}</div>}
      </header>
      {children}
    </div>
  )
}

export interface BesideProps {
  readonly list: ReactNode
  readonly detail: ReactNode | undefined
  /** Where the list is one of several of the screen: how its address is without the detail. */
  readonly back?: { readonly label: string; readonly search: PlaceSearch }
}

/** A list, and beside it the one that is looked at; where there is little room, one of both. */
export function Beside({ list, detail, back }: BesideProps) {
  const say = useAdministrationWords()
  const { screen, rest } = usePlace()
  const place = back === undefined ? screen : `${screen}/${encodeURIComponent(rest)}`
  return (
    <div className={styles.beside} data-open={detail !== undefined}>
      <div>{list}</div>
      {detail === undefined ? null : (
        <div className={styles.detail}>
          <Link className={styles.back} to="/admin/$" params={{ _splat: place }} search={(before) => back?.search ?? before}>
            <ArrowLeft size={16} aria-hidden />
            {back?.label ?? say('back')}
          </Link>
          {detail}
        </div>
      )}
    </div>
  )
}

/** Keeps a list to what fits, once somebody stops typing; it stands in the address. */
export function SearchField({ label, name = 'q' }: { readonly label: string; readonly name?: SearchName }) {
  const { search, change } = usePlace()
  const value = search[name] ?? ''
  const [text, type] = useTypedText(value, (typed) => change({ [name]: typed || undefined }))
  return (
    <span className={styles.search}>
      <Search size={16} aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </span>
  )
}
