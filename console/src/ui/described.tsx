import styles from './field.module.css'

interface Description {
  readonly hint: string | undefined
  readonly mistake: string | undefined
}

/** What a control that is the browser's own is described by. */
export function describedBy(id: string, { hint, mistake }: Description): string | undefined {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(mistake === undefined ? [] : [`${id}-mistake`])]
  return ids.length === 0 ? undefined : ids.join(' ')
}

/** What a field is for, and what is wrong with its value. */
export function Described({ id, hint, mistake }: Description & { readonly id: string }) {
  return (
    <>
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {mistake === undefined ? null : (
        <span id={`${id}-mistake`} className={styles.mistake}>
          {mistake}
        </span>
      )}
    </>
  )
}
