import { Link } from '@tanstack/react-router'
import type { MaintenanceTask } from '../../api/administration/server-state.ts'
import { useFormats } from '../../words/formats.ts'
import styles from './maintenance.module.css'
import { useMaintenanceWords } from './words.ts'

/** What a check found wrong with a file of a document. */
interface Flaw {
  readonly documentId: string
  readonly path: string | null
  readonly xpath: string
  readonly flaw: 'missing' | 'unreadable' | 'wrongDigest' | 'wrongLength'
}

/** What came out of it so far, in a sentence and a list. */
export function Outcome({ task: { name, outcome } }: { readonly task: MaintenanceTask }) {
  const say = useMaintenanceWords()
  const { number, size } = useFormats()
  const count = (key: string) => Number(outcome[key] ?? 0)
  if (Object.keys(outcome).length === 0) return null
  switch (name) {
    case 'collectFiles':
      return (
        <p>
          {say('collected', {
            count: count('numBinariesGC'),
            freed: size(count('sizeBinariesGC')),
            kept: number(count('numBinaries')),
            size: size(count('sizeBinaries')),
          })}
        </p>
      )
    case 'checkFiles':
      return (
        <>
          <p>
            {say('checked', { count: count('files'), size: size(count('bytes')) })}{' '}
            {count('flawed') === 0 ? say('sound') : say('flawed', { count: count('flawed') })}
          </p>
          <Flaws flaws={outcome['flaws'] as readonly Flaw[]} />
        </>
      )
    case 'reindexTexts':
      return (
        <>
          <p>
            {say('reread', { count: count('read') })} {say('unread', { count: count('unread') })}
          </p>
          <ul className={styles.lines}>
            {Object.entries(outcome['reasons'] as { readonly [reason: string]: number }).map(([reason, times]) => (
              <li key={reason}>
                {number(times)}: {reason}
              </li>
            ))}
          </ul>
        </>
      )
    case 'backUp':
      return (
        <p>
          {say('backedUp', { count: count('files'), size: size(count('bytes')), copied: number(count('copied')) })}{' '}
          {say('backupIn', { folder: String(outcome['backup']) })}{' '}
          {count('damaged') + count('missing') > 0 ? say('backupLost', { count: count('damaged') + count('missing') }) : null}
        </p>
      )
    default:
      return null
  }
}

function Flaws({ flaws }: { readonly flaws: readonly Flaw[] }) {
  const say = useMaintenanceWords()
  return (
    <ul className={styles.lines} aria-label={say('flaws')}>
      {flaws.map(({ documentId, path, xpath, flaw }) => (
        <li key={`${documentId} ${xpath} ${flaw}`}>
          <Link to="/doc/$id" params={{ id: documentId }} preload={false}>
            {path ?? say('aVersion')}
          </Link>{' '}
          <span className={styles.quiet}>{xpath}</span> {say(flaw)}
        </li>
      ))}
    </ul>
  )
}
