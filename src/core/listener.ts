import type { Listener, ListenerTable } from './session.ts'

export function createListenerTable(listeners: readonly Listener[]): ListenerTable {
  const sorted = [...listeners].sort((left, right) => orderOf(left) - orderOf(right))
  const inline = byEvent(sorted.filter((listener) => listener.when === 'inline'))
  const afterCommit = byEvent(sorted.filter((listener) => listener.when === 'afterCommit'))
  const asynchronous = sorted.filter((listener) => listener.when === 'asynchronous')
  const asynchronousByEvent = byEvent(asynchronous)
  return {
    inline: (event) => inline.get(event) ?? [],
    afterCommit: (event) => afterCommit.get(event) ?? [],
    asynchronous: (event) => asynchronousByEvent.get(event) ?? [],
    findAsynchronous: (name) => asynchronous.find((listener) => listener.name === name),
  }
}

function orderOf(listener: Listener): number {
  return listener.order ?? 0
}

function byEvent<One extends Listener>(listeners: readonly One[]): Map<string, One[]> {
  const map = new Map<string, One[]>()
  for (const listener of listeners) {
    for (const event of listener.events) map.set(event, [...(map.get(event) ?? []), listener])
  }
  return map
}
