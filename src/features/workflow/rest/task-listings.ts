import type { Document } from '../../../model/document.ts'
import { defineEntityProvider, findParameter } from '../../../rest/entity-provider.ts'
import type { EntityProvider, WantedEntities } from '../../../rest/services.ts'
import { everyTask, listTasks, partOfPage, type TaskFilter, withLivingTarget } from '../tasks/list-tasks.ts'

const longestPage = 1_000

async function list({ session, services, offset, limit }: WantedEntities, filter: TaskFilter) {
  const { tasks, page } = await listTasks(session, services, filter, { offset, pageSize: Math.min(limit, longestPage) })
  return { values: tasks, total: page.resultsCount }
}

const pages = { kind: 'entities', listType: 'tasks', entityType: 'task', pageSize: 20, isSortable: false } as const

/** Open tasks by the names that pages know (contract: workflow 10). */
export const taskListings: readonly EntityProvider[] = [
  defineEntityProvider({
    ...pages,
    name: 'platform_tasks_listing',
    list: (wanted) =>
      list(wanted, {
        userId: findParameter(wanted.request, 0, 'userId'),
        workflowInstanceId: findParameter(wanted.request, 1, 'workflowInstanceId'),
      }),
  }),
  defineEntityProvider({
    ...pages,
    name: 'user_tasks',
    // What is in the trash waits for nobody, and which tasks are about that no query can tell.
    async list({ session, services, offset, limit }) {
      const values: Document[] = []
      let total = 0
      for await (const tasks of everyTask(session, services, { userId: session.principal.name })) {
        const living = await withLivingTarget(session, tasks)
        values.push(...partOfPage(living, total, { offset, limit }))
        total += living.length
      }
      return { values, total }
    },
  }),
]
