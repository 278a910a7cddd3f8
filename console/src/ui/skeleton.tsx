import styles from './skeleton.module.css'

/** Keeps the place of a line that is on its way. */
export function Skeleton({ width = '60%' }: { readonly width?: string }) {
  return <span className={styles.bar} style={{ inlineSize: width }} data-waiting aria-hidden />
}
