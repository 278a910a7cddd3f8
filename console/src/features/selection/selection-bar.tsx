import { Trash2, X } from 'lucide-react'
import { Toolbar } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import styles from './selection-bar.module.css'
import { useTrash } from './use-trash.ts'
import { useSelectionWords } from './words.ts'

export interface SelectionBarProps {
  readonly selected: ReadonlySet<string>
  onClear(): void
}

/** What can be done with all that is selected. */
export function SelectionBar({ selected, onClear }: SelectionBarProps) {
  const say = useSelectionWords()
  const trash = useTrash()
  return (
    <Toolbar className={styles.bar} aria-label={say('actions')}>
      <Button
        onPress={() => {
          trash([...selected])
          onClear()
        }}
      >
        <Trash2 size={16} aria-hidden />
        {say('trash')}
      </Button>
      <Button look="quiet" onPress={onClear}>
        <X size={16} aria-hidden />
        {say('clear')}
      </Button>
    </Toolbar>
  )
}
