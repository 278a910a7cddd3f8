import type { Task } from '../../api/workflow.ts'

/** Which variables of a task its form shows, and which can be changed there. */
export interface TaskLayout {
  readonly shows: readonly string[]
  readonly edits: readonly string[]
  /** Needed by actions that go on with the workflow. */
  readonly needs: readonly string[]
  /** Vocabularies that texts are chosen from. */
  readonly directories: { readonly [variable: string]: string }
}

const layout = (of: Partial<TaskLayout>): TaskLayout => ({ shows: [], edits: [], needs: [], directories: {}, ...of })

/** Those of the workflows that come with the server, by the names that these give them. */
const layouts: { readonly [name: string]: TaskLayout } = {
  'Task38e@taskLayout': layout({
    edits: ['participants', 'validationOrReview'],
    needs: ['participants'],
    directories: { validationOrReview: 'WorkflowType' },
  }),
  'Task6d8@taskLayout': layout({ shows: ['initiatorComment', 'participants'] }),
  'Task542@taskLayout': layout({}),
  'Task2556@taskLayout': layout({ edits: ['participants', 'end_date'], needs: ['participants'] }),
  'Task328d@taskLayout': layout({ shows: ['initiatorComment'] }),
  'Task2169@taskLayout': layout({ shows: ['review_result'] }),
}

/** The remark has a field of its own in every form. */
export const remark = 'comment'

/** A workflow of somebody else's shows all that it has told its form of. */
export function layoutOf({ taskInfo, variables }: Pick<Task, 'taskInfo' | 'variables'>): TaskLayout {
  const known = layouts[taskInfo?.layoutResource.name ?? '']
  return known ?? layout({ edits: Object.keys(variables).filter((name) => name !== remark) })
}
