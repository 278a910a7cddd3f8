import { ListFilter } from 'lucide-react'
import { useEffect, useState } from 'react'
import styles from './browse.module.css'
import { useBrowseWords } from './words.ts'

const pauseMilliseconds = 200

/** Keeps a list to what has the text in its title, once somebody stops typing. */
export function FilterField({ value, onChange }: { readonly value: string; onChange(text: string): void }) {
  const say = useBrowseWords()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the pause anew
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text.trim()), pauseMilliseconds)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <span className={styles.filter}>
      <ListFilter size={16} aria-hidden />
      <input
        type="search"
        aria-label={say('filter')}
        placeholder={say('filter')}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  )
}
