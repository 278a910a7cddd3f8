import type { Task } from '../../api/workflow.ts'

/** How soon a task is due, as one sorts one's day. */
export const dueSpans = ['late', 'today', 'week', 'later', 'none'] as const
export type DueSpan = (typeof dueSpans)[number]

const day = 86_400_000

export function dueSpanOf({ dueDate }: Pick<Task, 'dueDate'>, now: Date): DueSpan {
  if (dueDate === null) return 'none'
  const due = new Date(dueDate)
  if (due.getTime() < now.getTime()) return 'late'
  const midnight = new Date(now)
  midnight.setHours(24, 0, 0, 0)
  if (due.getTime() < midnight.getTime()) return 'today'
  return due.getTime() < midnight.getTime() + 6 * day ? 'week' : 'later'
}

/** The tasks of each span that has any, in the order in which they are due. */
export function bySpan<Due extends Pick<Task, 'dueDate'>>(
  tasks: readonly Due[],
  now: Date,
): readonly { readonly span: DueSpan; readonly tasks: readonly Due[] }[] {
  const grouped = Map.groupBy(tasks, (task) => dueSpanOf(task, now))
  return dueSpans.flatMap((span) => {
    const some = grouped.get(span)
    return some === undefined ? [] : [{ span, tasks: some }]
  })
}
