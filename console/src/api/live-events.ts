import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { addressOf } from './client.ts'
import { documentKeys } from './documents.ts'
import type { components } from './entities.ts'
import { inboxKey } from './notifications.ts'
import type { Document } from './types.ts'

type LiveEvent = components['schemas']['LiveEvent']

// Many events come at once when many documents change; what is shown is asked for again once.
const gatherMilliseconds = 150
// Whom something concerns is found out behind it, so that what they are told is asked for a moment later.
const inboxMilliseconds = 1_500

/** Keeps what is shown true while others work: the server tells what happens, and what it touches is asked for again. */
export function useLiveEvents(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const source = new EventSource(addressOf('api/v1/events'))
    let gathered: LiveEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let inboxTimer: ReturnType<typeof setTimeout> | undefined
    const refreshInbox = () => {
      inboxTimer = undefined
      void queries.invalidateQueries({ queryKey: inboxKey })
    }
    const refresh = () => {
      timer = undefined
      const events = gathered
      gathered = []
      void queries.invalidateQueries({ predicate: (query) => isTouched(query, events) })
    }
    source.onmessage = ({ data }: MessageEvent<string>) => {
      gathered.push(JSON.parse(data) as LiveEvent)
      timer ??= setTimeout(refresh, gatherMilliseconds)
      inboxTimer ??= setTimeout(refreshInbox, inboxMilliseconds)
    }
    source.addEventListener('reset', () => void forgetAll(queries))
    return () => {
      source.close()
      clearTimeout(timer)
      clearTimeout(inboxTimer)
    }
  }, [queries])
}

function forgetAll(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: documentKeys.all })
}

/** Whether something that happened may have changed what a query brought. */
export function isTouched({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>, events: readonly LiveEvent[]): boolean {
  const [kind, what, id] = queryKey
  if (kind !== documentKeys.all[0]) return false
  switch (what) {
    case inboxKey[1]:
      return false
    case 'children':
      return events.some(({ parentId, previousParentId }) => parentId === id || previousParentId === id)
    case 'one':
      return events.some(({ documentId }) => documentId === (state.data as Document | undefined)?.uid)
    case 'tasks':
      return events.some(({ event, type }) => /workflow|task|route/i.test(event) || /task/i.test(type ?? ''))
    case 'workflows':
      return events.some(({ event, documentId }) => documentId === id || /workflow|task|route/i.test(event))
    case 'comments':
    case 'history':
    case 'permissions':
      return events.some(({ documentId }) => documentId === id)
    default:
      return events.length > 0
  }
}
