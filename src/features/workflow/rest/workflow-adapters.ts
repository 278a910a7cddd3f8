import { type Adapter, adapterMethod } from '../../../rest/adapter.ts'
import { entity } from '../../../rest/answer.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { createRenderContext } from '../../../rest/render/rendering.ts'
import { requireDocument } from '../../../rest/resource.ts'
import { listWorkflowsOf } from '../instance/list-workflows.ts'
import { listTasks } from '../tasks/list-tasks.ts'
import { tasksSchema, writeTasks } from './task-entity.ts'
import { completeFromBody, completionAnswers, taskBody, taskFilterQuery } from './task-routes.ts'
import { workflowsSchema, writeWorkflows } from './workflow-entity.ts'
import { startAnswers, startFromBody, taskHeaders, workflowBody, workflowHeaders } from './workflow-routes.ts'

/** What is under way on a document, and the tasks of one of them behind its id. */
export const workflowAdapter: Adapter = {
  name: 'workflow',
  summary: 'The workflows of a document',
  accepts: ['document'],
  methods: {
    GET: adapterMethod({
      operationId: 'listWorkflows',
      summary: 'The workflows under way on the document that you may read',
      headers: workflowHeaders,
      answers: { 200: workflowsSchema },
      handle: ({ exchange, resolve }) =>
        exchange.read(async (session) => {
          const { id } = requireDocument(await resolve(session))
          const routes = await listWorkflowsOf(session, id)
          return entity('workflows', await writeWorkflows(createRenderContext(session, exchange), routes))
        }),
    }),
    POST: adapterMethod({
      operationId: 'startWorkflow',
      summary: 'Start a workflow on the document',
      headers: workflowHeaders,
      body: workflowBody,
      answers: startAnswers,
      handle: async ({ exchange, resolve, sent }) =>
        startFromBody(exchange, sent.body, async (session) => requireDocument(await resolve(session))),
    }),
  },
  below: [
    {
      tail: '{workflowId}/task',
      methods: {
        GET: adapterMethod({
          operationId: 'listTasksOfWorkflow',
          summary: 'The open tasks of a workflow of the document that you may read',
          headers: taskHeaders,
          answers: { 200: tasksSchema },
          handle: ({ exchange, resolve, tail: [id = ''] }) =>
            exchange.read(async (session) => {
              const { id: documentId } = requireDocument(await resolve(session))
              const page = await listTasks(session, exchange.services, { workflowInstanceId: id, documentId })
              return entity('tasks', await writeTasks(createRenderContext(session, exchange), page))
            }),
        }),
      },
    },
  ],
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
      handle: ({ exchange, resolve, sent }) =>
        exchange.read(async (session) => {
          const { id: documentId } = requireDocument(await resolve(session))
          const { userId, workflowInstanceId, workflowModelName } = sent.query
          const filter = { userId, workflowInstanceId, workflowModelName, documentId }
          const page = await listTasks(session, exchange.services, filter)
          return entity('tasks', await writeTasks(createRenderContext(session, exchange), page))
        }),
    }),
  },
  below: [
    {
      tail: '{taskId}/{action}',
      methods: {
        PUT: adapterMethod({
          operationId: 'completeTask',
          summary: 'Complete a task about the document',
          headers: taskHeaders,
          body: taskBody,
          answers: completionAnswers,
          handle: async ({ exchange, resolve, tail: [id = '', action = ''], sent }) =>
            completeFromBody(exchange, { id, action, body: sent.body }, resolve),
        }),
      },
    },
  ],
}
