import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Language } from '../words/words.ts'
import { call } from './client.ts'
import { documentKeys } from './documents.ts'
import type { components } from './entities.ts'
import type { Document } from './types.ts'

type Schemas = components['schemas']

export type Task = Schemas['Task']
export type Workflow = Schemas['Workflow']
export type WorkflowGraph = Schemas['WorkflowGraph']

/** People and documents as entities, and words instead of keys. */
export const wished = (language: Language) => ({
  'fetch.task': 'actors,targetDocumentIds,workflowInitiator',
  'translate.task': 'name,directive,workflowTitle,taskActions',
  'fetch.workflow': 'initiator,attachedDocumentIds',
  'translate.workflow': 'title',
  'Accept-Language': language,
})

/** Those that came as entities, as `wished` asks: one that is gone, or may not be seen, is told by its id alone. */
export function documentsIn(told: Task['targetDocumentIds']): readonly Document[] {
  return told.filter((one): one is typeof one & Document => 'uid' in one)
}

export const workflowKeys = {
  tasks: [...documentKeys.all, 'tasks'] as const,
  of: (documentId: string) => [...documentKeys.all, 'workflows', documentId] as const,
}

const tasksAtOnce = 50

/** The open tasks of somebody, those that are due first before others. */
export function myTasksQuery(userId: string, language: Language) {
  return infiniteQueryOptions({
    queryKey: [...workflowKeys.tasks, 'mine', userId, language] as const,
    queryFn: ({ signal, pageParam }) =>
      call<Schemas['Tasks']>('task', {
        signal,
        query: { userId, currentPageIndex: pageParam, pageSize: tasksAtOnce },
        headers: wished(language),
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.isNextPageAvailable ? last.currentPageIndex + 1 : undefined),
  })
}

/** How many there are, and nothing of them. */
export function taskCountQuery(userId: string) {
  return queryOptions({
    queryKey: [...workflowKeys.tasks, 'count', userId] as const,
    queryFn: async ({ signal }) =>
      (await call<Schemas['Tasks']>('task', { signal, query: { userId, pageSize: 1, currentPageIndex: 0 } })).resultsCount,
  })
}

export function taskQuery(id: string, language: Language) {
  return queryOptions({
    queryKey: [...workflowKeys.tasks, 'one', id, language] as const,
    queryFn: ({ signal }) => call<Task>(`task/${encodeURIComponent(id)}`, { signal, headers: wished(language) }),
  })
}

/** What the caller has started and is under way. */
export function startedWorkflowsQuery(language: Language) {
  return queryOptions({
    queryKey: [...workflowKeys.tasks, 'started', language] as const,
    queryFn: async ({ signal }) => (await call<Schemas['Workflows']>('workflow', { signal, headers: wished(language) })).entries,
  })
}

export interface DocumentWorkflows {
  readonly runnable: readonly Workflow[]
  readonly running: readonly Workflow[]
  /** Those about the document that are the caller's to do. */
  readonly tasks: readonly Task[]
}

/** What can be started on a document, what is under way on it, and what of that waits for the caller. */
export function documentWorkflowsQuery(documentId: string, language: Language) {
  return queryOptions({
    queryKey: [...workflowKeys.of(documentId), language] as const,
    queryFn: async ({ signal }): Promise<DocumentWorkflows> => {
      const enrichers = { 'enrichers.document': 'runnableWorkflows,runningWorkflows,pendingTasks' }
      const { contextParameters = {} } = await call<Document>(`id/${encodeURIComponent(documentId)}`, {
        signal,
        headers: { ...wished(language), ...enrichers },
      })
      const { runnableWorkflows = [], runningWorkflows = [], pendingTasks = [] } = contextParameters
      return { runnable: runnableWorkflows, running: runningWorkflows, tasks: pendingTasks }
    },
  })
}

/** What is open in a workflow, as far as the caller may know. */
export function workflowTasksQuery({ id }: Workflow, language: Language) {
  return queryOptions({
    queryKey: [...workflowKeys.tasks, 'of', id, language] as const,
    queryFn: async ({ signal }) =>
      (await call<Schemas['Tasks']>(`workflow/${encodeURIComponent(id)}/task`, { signal, headers: wished(language) })).entries,
  })
}

/** Of an instance, or of the model that instances are made from. */
export function graphQuery({ id, name, state }: Workflow, language: Language) {
  const path = state === 'validated' ? `workflowModel/${encodeURIComponent(name)}` : `workflow/${encodeURIComponent(id)}`
  return queryOptions({
    queryKey: [...workflowKeys.tasks, 'graph', id, language] as const,
    queryFn: ({ signal }) => call<WorkflowGraph>(`${path}/graph`, { signal, headers: { 'Accept-Language': language } }),
  })
}

export function modelsQuery(language: Language) {
  return queryOptions({
    queryKey: [...workflowKeys.tasks, 'models', language] as const,
    queryFn: async ({ signal }) =>
      (await call<Schemas['Workflows']>('workflowModel', { signal, headers: wished(language) })).entries,
  })
}

/** @throws Problem */
export function startWorkflow(documentId: string, workflowModelName: string): Promise<Workflow> {
  const json = { 'entity-type': 'workflow', workflowModelName }
  return call<Workflow>(`id/${encodeURIComponent(documentId)}/@workflow`, { method: 'POST', json })
}

/** @throws Problem */
export function cancelWorkflow(id: string): Promise<void> {
  return call<void>(`workflow/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

export interface Completion {
  readonly action: string
  readonly comment: string
  readonly variables: { readonly [name: string]: unknown }
}

/** @throws Problem */
export function completeTask(id: string, { action, comment, variables }: Completion): Promise<Task> {
  const json = { 'entity-type': 'task', id, comment, variables }
  return call<Task>(`task/${encodeURIComponent(id)}/${encodeURIComponent(action)}`, { method: 'PUT', json })
}

export interface HandOver {
  readonly kind: 'delegate' | 'reassign'
  readonly people: readonly string[]
  readonly comment: string
}

/** Lets others do a task as well, or instead. @throws Problem */
export function handOverTask(id: string, { kind, people, comment }: HandOver): Promise<void> {
  const query = {
    [kind === 'delegate' ? 'delegatedActors' : 'actors']: people,
    ...(comment !== '' && { comment }),
  }
  return call<void>(`task/${encodeURIComponent(id)}/${kind}`, { method: 'PUT', query })
}
