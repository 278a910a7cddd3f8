import { CalendarClock } from 'lucide-react'
import { useFormats } from '../../words/formats.ts'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

/** Until when something is to be done; late is said in words, and not by a colour alone. */
export function DueDate({ date: iso }: { readonly date: string | null }) {
  const say = useTaskWords()
  const { date } = useFormats()
  if (iso === null) return null
  const isLate = Date.parse(iso) < Date.now()
  return (
    <time className={styles.due} dateTime={iso} data-late={isLate}>
      <CalendarClock size={14} aria-hidden />
      {say(isLate ? 'lateSince' : 'dueOn', { date: date(iso) })}
    </time>
  )
}
