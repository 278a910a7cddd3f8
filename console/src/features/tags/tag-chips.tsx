import { Link } from '@tanstack/react-router'
import { type Document, propertyOf } from '../../api/types.ts'
import styles from './tags.module.css'
import { useTagWords } from './words.ts'

const shownAtMost = 3

/** The tags of a document in a list, as far as there is room. */
export function TagChips({ document }: { readonly document: Document }) {
  const say = useTagWords()
  const tags = tagsOf(document)
  if (tags.length === 0) return null
  const rest = tags.slice(shownAtMost)
  return (
    <span className={styles.chips} data-in-list>
      {tags.slice(0, shownAtMost).map((tag) => (
        <TagLink key={tag} tag={tag} tabIndex={-1} />
      ))}
      {rest.length === 0 ? null : <span className={styles.rest}>{say('more', { count: rest.length })}</span>}
    </span>
  )
}

/** Leads to all that has the tag. */
export function TagLink({ tag, tabIndex }: { readonly tag: string; readonly tabIndex?: number }) {
  return (
    <Link className={styles.tag} to="/tags/$tag" params={{ tag }} tabIndex={tabIndex}>
      {tag}
    </Link>
  )
}

/** Those that a list was sent with each document. */
function tagsOf(document: Document): readonly string[] {
  const tags = propertyOf<readonly { readonly label?: unknown }[]>(document, 'nxtag:tags') ?? []
  return [...new Set(tags.flatMap(({ label }) => (typeof label === 'string' ? [label] : [])))].sort()
}
