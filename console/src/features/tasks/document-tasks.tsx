import { useQuery } from '@tanstack/react-query'
import { ListTodo } from 'lucide-react'
import type { Document } from '../../api/types.ts'
import { documentWorkflowsQuery } from '../../api/workflow.ts'
import { useLanguage } from '../../words/words.ts'
import { DueDate } from './due-date.tsx'
import { TaskForm } from './task-form.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

/** What of a document's workflows waits for whoever looks at it; nothing where nothing does. */
export function DocumentTasks({ document }: { readonly document: Document }) {
  const say = useTaskWords()
  const { data } = useQuery(documentWorkflowsQuery(document.uid, useLanguage()))
  if (data === undefined) return null
  return data.tasks.map((task) => (
    <section key={task.id} className={styles.card} aria-label={say('yours')}>
      <header>
        <p className={styles.yours}>
          <ListTodo size={16} aria-hidden />
          {say('yours')}
        </p>
        <h2>{task.name}</h2>
        {task.directive === null ? null : <p>{task.directive}</p>}
        <DueDate date={task.dueDate} />
      </header>
      <TaskForm task={task} />
    </section>
  ))
}
