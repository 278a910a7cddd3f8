import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { meQuery } from '../../api/documents.ts'
import { myTasksQuery } from '../../api/workflow.ts'
import { useLanguage } from '../../words/words.ts'
import { Refused } from '../problems/shown.tsx'
import { TaskRow } from './task-row.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

const shownAtMost = 5

/** The most urgent of what waits for one; not there where nothing does. */
export function DueTasks() {
  const say = useTaskWords()
  const id = useId()
  const { data: me } = useQuery(meQuery)
  const query = useInfiniteQuery({ ...myTasksQuery(me?.id ?? '', useLanguage()), enabled: me !== undefined })
  const tasks = query.data?.pages[0]?.entries ?? []
  if (query.error !== null && query.data === undefined) {
    return <Refused error={query.error} onRetry={() => void query.refetch()} />
  }
  if (tasks.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <header className={styles.dueHead}>
        <h2 id={id}>{say('title')}</h2>
        <Link to="/tasks">{say('seeAll')}</Link>
      </header>
      <ul className={styles.dueRows}>
        {tasks.slice(0, shownAtMost).map((task) => (
          <li key={task.id}>
            <TaskRow task={task} />
          </li>
        ))}
      </ul>
    </section>
  )
}
