import { entity } from '../../../rest/answer.ts'
import { requireManager } from '../../../rest/management.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { placeFields, writePlace } from '../../../rest/render/page-fields.ts'
import { createRenderContext, type RenderContext } from '../../../rest/render/rendering.ts'
import { defineRoute, type Route } from '../../../rest/route.ts'
import { instanceStates, listInstances } from '../instance/list-workflows.ts'
import { textAt } from '../instance/route-documents.ts'
import { readModel } from '../instance/start-workflow.ts'
import { findStuckWorkflows, type Hindrance, type ObservedWorkflow, observeWorkflows } from '../instance/stuck-workflows.ts'
import { translateWished } from './graph-entity.ts'
import { workflowSchema, writeWorkflow } from './workflow-entity.ts'
import { taskHeaders, workflowHeaders } from './workflow-routes.ts'

const hindranceSchema = Type.Object({
  reason: Type.Enum(['nobody', 'overdue', 'nothing'], {
    description:
      'Of a task: nobody whom it is for exists any more, or it is late. `nothing`: no task and no other workflow is waited for',
  }),
  task: Type.Nullable(Type.String({ description: 'The id of the task' })),
  taskName: Type.Nullable(Type.String({ description: 'As words with `translate.task: name`' })),
  dueDate: Type.Nullable(Type.Moment()),
})

const instanceSchema = Type.Object(
  {
    'entity-type': Type.Literal('workflowInstance'),
    workflow: workflowSchema,
    started: Type.Nullable(Type.Moment()),
    openTasks: Type.Integer({ description: 'How many wait to be done; of one that is over, none' }),
    hindrances: Type.Array(hindranceSchema, { description: 'Why it will not go on by itself, or is late' }),
  },
  { $id: 'WorkflowInstance' },
)

const instancesSchema = Type.Object(
  { 'entity-type': Type.Literal('workflowInstances'), ...placeFields, entries: Type.Array(instanceSchema) },
  { $id: 'WorkflowInstances' },
)

const stuckSchema = Type.Object(
  {
    'entity-type': Type.Literal('stuckWorkflows'),
    looked: Type.Integer({ description: 'How many that are under way were looked at' }),
    next: Type.Nullable(Type.String({ description: 'Send it as `after` to look further; null where all were looked at' })),
    entries: Type.Array(instanceSchema),
  },
  { $id: 'StuckWorkflows' },
)

const headers = Type.Object({ ...taskHeaders.properties, ...workflowHeaders.properties })
const forbidden = { 403: 'the caller does not look after the server' }
const mostStuck = 50

/** Of everybody, for whoever looks after the server; cancelled and reassigned they are as by everybody. */
export const workflowManagementRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/management/workflows',
    operationId: 'listWorkflowInstances',
    under: 'api',
    summary: 'The workflows of everybody, the newest first, with what is open in them',
    query: Type.Object({
      workflowModelName: Type.Text({ description: 'Only those of this model' }),
      state: Type.Optional(Type.Enum(instanceStates)),
      id: Type.Text({ description: 'Only this one' }),
      pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Most that are shown; 50 unless told' })),
      currentPageIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The page, counted from 0' })),
    }),
    headers,
    answers: { 200: instancesSchema, ...forbidden, 404: 'there is no such model' },
    async handle(
      exchange,
      _parameters,
      { query: { workflowModelName, state, id, pageSize = 50, currentPageIndex: pageIndex = 0 } },
    ) {
      requireManager(exchange)
      return exchange.read(async (session) => {
        const model = workflowModelName === undefined ? undefined : (await readModel(session, workflowModelName)).id
        const { routes, page } = await listInstances(session, { id, model, state }, { pageSize, pageIndex })
        const context = createRenderContext(session, exchange)
        const entries = await writeInstances(context, await observeWorkflows(session, exchange.services, routes))
        return entity('workflowInstances', { 'entity-type': 'workflowInstances', ...writePlace(page), entries })
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/management/workflows/stuck',
    operationId: 'listStuckWorkflows',
    under: 'api',
    summary: `Workflows under way that will not go on by themselves or are late, at most ${mostStuck} at once`,
    query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 100, description: '`next` of the answer before' })) }),
    headers,
    answers: { 200: stuckSchema, ...forbidden },
    async handle(exchange, _parameters, { query: { after = '' } }) {
      requireManager(exchange)
      return exchange.read(async (session) => {
        const { found, looked, next = null } = await findStuckWorkflows(session, exchange.services, after, mostStuck)
        const entries = await writeInstances(createRenderContext(session, exchange), found)
        return entity('stuckWorkflows', { 'entity-type': 'stuckWorkflows', looked, next, entries })
      })
    },
  }),
]

async function writeInstances(context: RenderContext, observed: readonly ObservedWorkflow[]) {
  const entries: Static<typeof instanceSchema>[] = []
  for (const { route, openTasks, hindrances } of observed)
    entries.push({
      'entity-type': 'workflowInstance',
      workflow: await writeWorkflow(context, route),
      started: textAt(route, 'dc:created') ?? null,
      openTasks,
      hindrances: hindrances.map((one) => writeHindrance(context, one)),
    })
  return entries
}

function writeHindrance(context: RenderContext, hindrance: Hindrance): Static<typeof hindranceSchema> {
  if (hindrance.reason === 'nothing') return { reason: 'nothing', task: null, taskName: null, dueDate: null }
  const { reason, task } = hindrance
  const taskName = translateWished(context, 'task')('name', textAt(task, 'nt:name') ?? null)
  return { reason, task: task.id, taskName, dueDate: textAt(task, 'nt:dueDate') ?? null }
}
