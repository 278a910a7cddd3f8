import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { type Answered, requireStatus } from './workbench.ts'

/** Workflows as clients use them. What is refused fails the test that asked for it. */
export function workflowsOn(server: TestServer) {
  const as = (user: string) => server.as(user)
  const flows = {
    start: async (
      uid: string | undefined,
      workflowModelName: string,
      user = 'Administrator',
      more: object = {},
    ): Promise<Answered> => {
      const body = { 'entity-type': 'workflow', workflowModelName, ...(uid && { attachedDocumentIds: [uid] }), ...more }
      return requireStatus(201, await as(user).post('/workflow', body))
    },
    tasks: async (query: string, user = 'Administrator'): Promise<readonly Answered[]> =>
      requireStatus(200, await as(user).get(`/task${query}`)).entries,
    /** The one open task of an instance. */
    task: async (workflowId: string, user = 'Administrator'): Promise<Answered> => {
      const [task, ...others] = await flows.tasks(`?workflowInstanceId=${workflowId}`, user)
      if (task === undefined || others.length > 0) throw new Error(`There are ${others.length + (task ? 1 : 0)} open tasks.`)
      return task
    },
    tryTo: (
      taskId: string,
      action: string,
      variables: object = {},
      user = 'Administrator',
      more: object = {},
    ): Promise<ApiAnswer> => as(user).put(`/task/${taskId}/${action}`, { 'entity-type': 'task', id: taskId, variables, ...more }),
    complete: async (taskId: string, action: string, variables: object = {}, user = 'Administrator', more: object = {}) =>
      requireStatus(200, await flows.tryTo(taskId, action, variables, user, more)),
    read: async (id: string, user = 'Administrator'): Promise<Answered> =>
      requireStatus(200, await as(user).get(`/workflow/${id}`)),
    graph: async (id: string, user = 'Administrator'): Promise<Answered> =>
      requireStatus(200, await as(user).get(`/workflow/${id}/graph`)),
    statesOf: async (id: string): Promise<{ readonly [node: string]: string }> =>
      Object.fromEntries((await flows.graph(id)).nodes.map((node: Answered) => [node.id, node.state])),
    acls: async (uid: string): Promise<readonly Answered[]> =>
      requireStatus(200, await as('Administrator').get(`/id/${uid}/@acl`)).acl,
  }
  return flows
}
