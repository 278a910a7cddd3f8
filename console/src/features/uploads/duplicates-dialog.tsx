import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import type { DuplicateQuestion } from './duplicates.ts'
import styles from './duplicates-dialog.module.css'
import { useUploadWords } from './words.ts'

const shownNames = 5

/** Who closes it has the rest sent, and what is there already left as it is. */
export function DuplicatesDialog({ question: { names, of, answer } }: { readonly question: DuplicateQuestion }) {
  const say = useUploadWords()
  return (
    <Dialog title={say('duplicates', { count: names.length })} isOpen onClose={() => answer('skip')}>
      <ul className={styles.names}>
        {names.slice(0, shownNames).map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name can come from several folders
          <li key={index}>{name}</li>
        ))}
        {names.length > shownNames ? <li>{say('furtherDuplicates', { count: names.length - shownNames })}</li> : null}
      </ul>
      <p>{say('duplicatesHint')}</p>
      <DialogActions>
        <Button onPress={() => answer('skip')}>{say(names.length === of ? 'skipAll' : 'skip')}</Button>
        <Button onPress={() => answer('both')}>{say('keepBoth')}</Button>
        <Button look="main" autoFocus onPress={() => answer('replace')}>
          {say('replace')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
