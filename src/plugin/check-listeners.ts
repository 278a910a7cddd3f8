import type { EventDefinition, EventKind } from '../core/event-definition.ts'
import type { Listener, ServerListener } from '../core/session.ts'
import { findNearestName } from '../settings/nearest-name.ts'

/** How each event is told, by its name; a few are told in two ways. */
export type EventTable = ReadonlyMap<string, ReadonlySet<EventKind>>

export function eventTable(events: readonly EventDefinition[]): EventTable {
  const table = new Map<string, Set<EventKind>>()
  for (const { name, kind } of events) table.set(name, (table.get(name) ?? new Set()).add(kind))
  return table
}

const moments: readonly string[] = ['inline', 'afterCommit', 'asynchronous'] satisfies Listener['when'][]

/** What is wrong with a listener, as a reason that follows its name. */
export function findListenerMistake({ when, events }: Listener, known: EventTable): string | undefined {
  if (!moments.includes(when)) return `has when: ${String(when)}, which is none of ${moments.join(', ')}`
  return findInEvents(events, known, (event, kinds) => {
    if (!kinds.has('before') && !kinds.has('after'))
      return `listens to ${event}, which happens to no document: contribute it as one of serverListeners`
    if (when !== 'inline' && !kinds.has('after'))
      return `listens to ${event}, which is offered before anything is done: say when: 'inline', or listen to what is done`
    return undefined
  })
}

export function findServerListenerMistake({ events }: ServerListener, known: EventTable): string | undefined {
  return findInEvents(events, known, (event, kinds) =>
    kinds.has('server') ? undefined : `listens to ${event}, which happens to documents: contribute it as one of listeners`,
  )
}

type Judge = (event: string, kinds: ReadonlySet<EventKind>) => string | undefined

function findInEvents(events: unknown, known: EventTable, judge: Judge): string | undefined {
  if (!Array.isArray(events) || events.length === 0) return 'listens to no event: name some in events'
  for (const event of events) {
    const kinds = known.get(event)
    const mistake = kinds === undefined ? unknownEvent(event, known) : judge(event, kinds)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function unknownEvent(event: unknown, known: EventTable): string {
  const nearest = findNearestName(String(event), [...known.keys()])
  const hint =
    nearest === undefined
      ? 'a plugin that announces it declares it in its events'
      : `did you mean ${nearest}, or is it missing in events?`
  return `listens to ${String(event)}, which nobody announces: ${hint}`
}
