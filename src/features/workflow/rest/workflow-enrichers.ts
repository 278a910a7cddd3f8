import { Type } from '../../../rest/openapi/schema.ts'
import { defineEnricher } from '../../../rest/render/rendering.ts'
import { isAvailable } from '../instance/availability.ts'
import { listAllWorkflowsOf, listModels } from '../instance/list-workflows.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { readingEnvironment } from './request-environment.ts'
import { taskSchema, writeTaskEntries } from './task-entity.ts'
import { type WorkflowEntity, workflowSchema, writeWorkflow, writeWorkflows } from './workflow-entity.ts'

// What pages that show a document ask for with it (contract: workflow 4). However many workflows others start on it, it can be shown:
// so many come with it, and /id/{id}/@workflow and /task list them all. Their documents are inside of it: else documents and tasks would
// show each other without end.
const maxShown = 50

export const pendingTasks = defineEnricher({
  name: 'pendingTasks',
  entityType: 'document',
  adds: { pendingTasks: Type.Array(taskSchema) },
  async enrich({ document, isStored, context }) {
    if (!isStored) return { pendingTasks: [] }
    const { session, services } = context
    const filter = { userId: session.principal.name, documentId: document.id }
    const { tasks } = await listTasks(session, services, filter, { pageSize: maxShown })
    return { pendingTasks: await writeTaskEntries(context, tasks, context.nested()) }
  },
})

export const runnableWorkflows = defineEnricher({
  name: 'runnableWorkflows',
  entityType: 'document',
  adds: { runnableWorkflows: Type.Array(workflowSchema) },
  async enrich({ document, isStored, context }) {
    if (!isStored) return { runnableWorkflows: [] }
    const environment = readingEnvironment(context)
    const offered: WorkflowEntity[] = []
    for (const model of await listModels(context.session)) {
      if (await isAvailable(environment, context.session, model, document)) offered.push(await writeWorkflow(context, model))
    }
    return { runnableWorkflows: offered }
  },
})

export const runningWorkflows = defineEnricher({
  name: 'runningWorkflows',
  entityType: 'document',
  // They are looked up with full rights.
  needsRead: true,
  adds: { runningWorkflows: Type.Array(workflowSchema) },
  async enrich({ document, isStored, context }) {
    if (!isStored) return { runningWorkflows: [] }
    const routes = await listAllWorkflowsOf(context.session, document.id, maxShown)
    return { runningWorkflows: (await writeWorkflows(context, routes, context.nested())).entries }
  },
})
