import { ListFilter } from 'lucide-react'
import { useTypedText } from '../../ui/use-typed-text.ts'
import styles from './browse.module.css'
import { useBrowseWords } from './words.ts'

/** Keeps a list to what has the text in its title, once somebody stops typing. */
export function FilterField({ value, onChange }: { readonly value: string; onChange(text: string): void }) {
  const say = useBrowseWords()
  const [text, type] = useTypedText(value, onChange)
  return (
    <span className={styles.filter}>
      <ListFilter size={16} aria-hidden />
      <input
        type="search"
        aria-label={say('filter')}
        placeholder={say('filter')}
        maxLength={200}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </span>
  )
}
