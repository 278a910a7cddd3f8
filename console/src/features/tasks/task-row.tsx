import { Link } from '@tanstack/react-router'
import { titleOf } from '../../api/types.ts'
import { documentsIn, type Task } from '../../api/workflow.ts'
import { Person } from '../people/person.tsx'
import { DueDate } from './due-date.tsx'
import { nameOf } from './people-of-task.ts'
import styles from './tasks.module.css'

/** A task in a list: about which document, what is asked, until when and from whom. */
export function TaskRow({ task }: { readonly task: Task }) {
  const initiator = nameOf(task.workflowInitiator)
  return (
    <Link
      className={styles.row}
      to="/tasks"
      search={(before) => ({ ...before, task: task.id })}
      // Only the one that is looked at is where one is.
      activeOptions={{ exact: true, includeSearch: true }}
    >
      <span className={styles.what}>
        <strong>{titleOfTarget(task) ?? task.name}</strong>
        <span className={styles.quiet}>{task.name}</span>
      </span>
      <span className={styles.when}>
        <DueDate date={task.dueDate} />
        {initiator === undefined ? null : <Person reference={initiator} isNamed={false} />}
      </span>
    </Link>
  )
}

/** Undefined where the document is gone, or may not be seen. */
export function titleOfTarget({ targetDocumentIds }: Task): string | undefined {
  const [document] = documentsIn(targetDocumentIds)
  return document && titleOf(document)
}
