import { useNavigate, useSearch } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useCommands } from '../../ui/commands.ts'
import styles from './search.module.css'
import { useSearchWords } from './words.ts'

/** Always at hand: `/` leads here from anywhere. */
export function SearchBox() {
  const say = useSearchWords()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const { words = '' } = useSearch({ strict: false })
  useEffect(() => {
    if (field.current !== null) field.current.value = words
  }, [words])
  useCommands([{ id: 'to-search', label: say('toSearch'), icon: Search, keys: '/', run: () => field.current?.select() }])
  return (
    <search className={styles.box}>
      <Search size={16} aria-hidden />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const typed = field.current?.value.trim() ?? ''
          // The results take the focus, so that arrows move in them.
          field.current?.blur()
          void navigate({ to: '/search', search: typed === '' ? {} : { words: typed } })
        }}
      >
        <input ref={field} type="search" aria-label={say('search')} placeholder={say('placeholder')} maxLength={500} />
      </form>
      <kbd aria-hidden>/</kbd>
    </search>
  )
}
