import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Language } from '../../words/words.ts'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { wished } from '../workflow.ts'
import { administrationKeys, type EntityPages, rowsAtOnce } from './entity-pages.ts'

type Schemas = components['schemas']
export type WorkflowInstance = Schemas['WorkflowInstance']

export const instanceStates = ['running', 'done', 'canceled', 'ready'] as const
type InstanceState = (typeof instanceStates)[number]

export interface InstanceFilter {
  readonly model?: string | undefined
  readonly state?: InstanceState | undefined
}

/** The workflows of everybody, the newest first. */
export function instancesLike({ model, state }: InstanceFilter, language: Language): EntityPages<WorkflowInstance> {
  const query = { workflowModelName: model, state }
  return {
    key: ['workflows', query, language],
    fetch: (page, signal) =>
      call<Schemas['WorkflowInstances']>('management/workflows', {
        signal,
        query: { ...query, pageSize: rowsAtOnce, currentPageIndex: page },
        headers: wished(language),
      }),
  }
}

/** One of them; undefined where there is none. */
export function instanceQuery(id: string, language: Language) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'workflow', id, language] as const,
    queryFn: async ({ signal }) => {
      const { entries } = await call<Schemas['WorkflowInstances']>('management/workflows', {
        signal,
        query: { id },
        headers: wished(language),
      })
      return { found: entries[0] }
    },
  })
}

/** Those that will not go on by themselves or are late; the server looks at some of all at once. */
export function stuckQuery(language: Language) {
  return infiniteQueryOptions({
    queryKey: [...administrationKeys.all, 'stuck-workflows', language] as const,
    queryFn: ({ signal, pageParam }) =>
      call<Schemas['StuckWorkflows']>('management/workflows/stuck', {
        signal,
        query: { after: pageParam || undefined },
        headers: wished(language),
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}
