import type { Listener, ListenerTable } from './session.ts'

export function createListenerTable(listeners: readonly Listener[]): ListenerTable {
  const sorted = [...listeners].sort((left, right) => (left.order ?? 0) - (right.order ?? 0))
  const inline = byEvent(sorted.filter((listener) => listener.when === 'inline'))
  const afterCommit = byEvent(sorted.filter((listener) => listener.when === 'afterCommit'))
  return {
    inline: (event) => inline.get(event) ?? [],
    afterCommit: (event) => afterCommit.get(event) ?? [],
  }
}

function byEvent<One extends Listener>(listeners: readonly One[]): Map<string, One[]> {
  const map = new Map<string, One[]>()
  for (const listener of listeners) {
    for (const event of listener.events) map.set(event, [...(map.get(event) ?? []), listener])
  }
  return map
}
