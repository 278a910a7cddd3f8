import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/documents.ts'
import { taskCountQuery } from '../../api/workflow.ts'
import { useFormats } from '../../words/formats.ts'
import styles from './open-task-count.module.css'
import { useTaskWords } from './words.ts'

/** How many tasks wait for whoever looks; nothing where none does, or where that cannot be told. */
export function OpenTaskCount() {
  const say = useTaskWords()
  const { number } = useFormats()
  const { data: me } = useQuery(meQuery)
  const { data: count = 0 } = useQuery({ ...taskCountQuery(me?.id ?? ''), enabled: me !== undefined })
  if (count === 0) return null
  return (
    <span className={styles.count}>
      <span aria-hidden>{number(count)}</span>
      <span className="only-read">{say('openTasks', { count })}</span>
    </span>
  )
}
