import { defineProblem } from '../../base/problem.ts'
import { entity, noContent } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { emptyAnswer } from '../../rest/openapi/answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import type { MaintenanceTask } from './maintenance-task.ts'
import { askFor, findRun, stop } from './task-runs.ts'

export const taskUnknown = defineProblem(
  'taskUnknown',
  'notFound',
  (of: { name: string; known: readonly string[] }) =>
    `There is no task ${of.name.slice(0, 100)}. There are ${of.known.join(', ')}.`,
)

export const tasksForAdministrators = defineProblem(
  'tasksForAdministrators',
  'forbidden',
  (_: object) => 'Only administrators start and stop maintenance.',
)

const taskSchema = Type.Object(
  {
    'entity-type': Type.Literal('maintenanceTask'),
    name: Type.String(),
    state: Type.Enum(['never', 'waiting', 'running', 'done', 'failed', 'stopped']),
    asked: Type.Nullable(Type.Moment({ description: 'When it was last started' })),
    by: Type.Nullable(Type.String({ description: 'Who started it' })),
    ended: Type.Nullable(Type.Moment()),
    done: Type.Integer({ description: 'Steps that were done' }),
    total: Type.Integer({ description: 'Of so many, as far as was known when it began' }),
    problem: Type.Nullable(Type.String({ description: 'Why it failed' })),
    outcome: Type.Map({ description: 'What came out so far, which depends on the task' }),
  },
  { $id: 'MaintenanceTask' },
)
const tasksSchema = Type.Object(
  { 'entity-type': Type.Literal('maintenanceTasks'), entries: Type.Array(taskSchema) },
  { $id: 'MaintenanceTasks' },
)

const path = '/management/maintenance'
const forbidden = { 403: 'the caller does not look after the server' }
const refusalsOfOne = { 403: 'the caller is no administrator', 404: 'there is no such task' }

export function maintenanceRoutes(tasks: readonly Pick<MaintenanceTask, 'name' | 'require'>[]): readonly Route[] {
  const names = tasks.map(({ name }) => name)
  const requireTask = ({ principal }: Exchange, name: string) => {
    if (!principal.isAdministrator) throw tasksForAdministrators({})
    const task = tasks.find((one) => one.name === name)
    if (task === undefined) throw taskUnknown({ name, known: names })
    return task
  }
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listMaintenance',
      under: 'api',
      summary: 'What can be done to everything that the server keeps, and how far it is',
      answers: { 200: tasksSchema, ...forbidden },
      async handle(exchange) {
        requireManager(exchange)
        const entries = await Promise.all(names.map((name) => showTask(exchange, name)))
        return entity('maintenanceTasks', { 'entity-type': 'maintenanceTasks', entries })
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{name}`,
      operationId: 'startMaintenance',
      under: 'api',
      summary: 'Start a task; it goes on in the background',
      ignoresBody: true,
      answers: { 202: taskSchema, ...refusalsOfOne, 409: 'it is under way already, or the server was not told what it needs' },
      async handle(exchange, { name = '' }) {
        requireTask(exchange, name).require?.(exchange.services)
        await askFor(exchange.services, name, exchange.principal.name)
        return entity('maintenanceTask', await showTask(exchange, name), 202)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{name}`,
      operationId: 'stopMaintenance',
      under: 'api',
      summary: 'Stop a task in a moment; what it did stays done',
      ignoresBody: true,
      answers: { 204: emptyAnswer('it will stop'), ...refusalsOfOne, 409: 'it is not under way' },
      async handle(exchange, { name = '' }) {
        requireTask(exchange, name)
        await stop(exchange.services, name)
        return noContent()
      },
    }),
  ]
}

async function showTask({ services }: Exchange, name: string): Promise<Static<typeof taskSchema>> {
  const run = await findRun(services, name)
  return {
    'entity-type': 'maintenanceTask',
    name,
    state: run?.state ?? 'never',
    asked: run?.asked ?? null,
    by: run?.by ?? null,
    ended: run?.ended ?? null,
    done: run?.done ?? 0,
    total: run?.total ?? 0,
    problem: run?.problem ?? null,
    outcome: { ...run?.outcome },
  }
}
