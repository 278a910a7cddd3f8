import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import styles from './search.module.css'
import { useSearchWords } from './words.ts'

/** Always at hand: `/` leads here from anywhere. */
export function SearchBox() {
  const say = useSearchWords()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const toField = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', toField)
    return () => removeEventListener('keydown', toField)
  }, [])
  return (
    <search className={styles.box}>
      <Search size={16} aria-hidden />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const words = field.current?.value.trim() ?? ''
          void navigate({ to: '/search', search: words === '' ? {} : { words } })
        }}
      >
        <input ref={field} type="search" aria-label={say('search')} placeholder={say('placeholder')} maxLength={500} />
      </form>
      <kbd aria-hidden>/</kbd>
    </search>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
}
