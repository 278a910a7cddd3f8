import { useSyncExternalStore } from 'react'

export interface RunningBulk {
  readonly id: string
  /** What is done, in words. */
  readonly label: string
  /** Takes it back, once it is over. @throws Problem */
  undo?(): Promise<void>
}

const watchers = new Set<() => void>()
let running: readonly RunningBulk[] = []

function change(next: readonly RunningBulk[]): void {
  running = next
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Shows how far something is that was started, until somebody closes it. */
export function showBulk(bulk: RunningBulk): void {
  change([...running, bulk])
}

export function forgetBulk(id: string): void {
  change(running.filter((one) => one.id !== id))
}

export function useRunningBulks(): readonly RunningBulk[] {
  return useSyncExternalStore(watch, () => running)
}
