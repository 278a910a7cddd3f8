import { type Adapter, adapterMethod } from '../../../rest/adapter.ts'
import { entity } from '../../../rest/answer.ts'
import { eitherAnswer } from '../../../rest/openapi/answers.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { createRenderContext } from '../../../rest/render/rendering.ts'
import { requireDocument } from '../../../rest/resource.ts'
import { typeNotFound } from '../../../rest/type-not-found.ts'
import { listWorkflowsOf } from '../instance/list-workflows.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { tasksSchema, writeTasks } from './task-entity.ts'
import { completeFromBody, completionAnswers, taskBody, taskFilterQuery, taskHeaders } from './task-routes.ts'
import { workflowsSchema, writeWorkflows } from './workflow-entity.ts'
import { startAnswers, startFromBody, workflowBody } from './workflow-routes.ts'

/** What is under way on a document, and its tasks behind `/{id}/task`. */
export const workflowAdapter: Adapter = {
  name: 'workflow',
  summary: 'The workflows of a document',
  accepts: ['document'],
  methods: {
    GET: adapterMethod({
      operationId: 'listWorkflows',
      summary: 'The workflows under way on the document that you may read; the open tasks of one of them behind its id',
      headers: taskHeaders,
      answers: { 200: eitherAnswer('the workflows, or the tasks of one', [workflowsSchema, tasksSchema]) },
      handle: ({ exchange, resolve, tail }) =>
        exchange.read(async (session) => {
          const document = requireDocument(await resolve(session))
          const context = createRenderContext(session, exchange)
          const [id, word, ...more] = tail
          if (id === undefined)
            return entity('workflows', await writeWorkflows(context, await listWorkflowsOf(session, document.id)))
          if (word !== 'task' || more.length > 0) throw typeNotFound({ segment: more[0] ?? word ?? id })
          const page = await listTasks(session, exchange.services, { workflowInstanceId: id, documentId: document.id })
          return entity('tasks', await writeTasks(context, page))
        }),
    }),
    POST: adapterMethod({
      operationId: 'startWorkflow',
      summary: 'Start a workflow on the document',
      body: workflowBody,
      answers: startAnswers,
      handle: async ({ exchange, resolve, tail, sent }) => {
        const [more] = tail
        if (more !== undefined) throw typeNotFound({ segment: more })
        return startFromBody(exchange, sent.body, async (session) => requireDocument(await resolve(session)))
      },
    }),
  },
}

/** The open tasks that a document is the subject of. */
export const taskAdapter: Adapter = {
  name: 'task',
  summary: 'The tasks of a document',
  accepts: ['document'],
  methods: {
    GET: adapterMethod({
      operationId: 'listTasks',
      summary: 'The open tasks about the document that you may read',
      query: Type.Object(taskFilterQuery),
      headers: taskHeaders,
      answers: { 200: tasksSchema },
      handle: ({ exchange, resolve, tail, sent }) =>
        exchange.read(async (session) => {
          const [more] = tail
          if (more !== undefined) throw typeNotFound({ segment: more })
          const { id: documentId } = requireDocument(await resolve(session))
          const { userId, workflowInstanceId, workflowModelName } = sent.query
          const filter = { userId, workflowInstanceId, workflowModelName, documentId }
          const page = await listTasks(session, exchange.services, filter)
          return entity('tasks', await writeTasks(createRenderContext(session, exchange), page))
        }),
    }),
    PUT: adapterMethod({
      operationId: 'completeTask',
      tail: '{taskId}/{action}',
      summary: 'Complete a task about the document',
      headers: taskHeaders,
      body: taskBody,
      answers: completionAnswers,
      handle: async ({ exchange, resolve, tail, sent }) => {
        const [id, action, ...more] = tail
        if (id === undefined || action === undefined || more.length > 0) throw typeNotFound({ segment: more[0] ?? id ?? 'task' })
        return completeFromBody(exchange, { id, action, body: sent.body }, resolve)
      },
    }),
  },
}
