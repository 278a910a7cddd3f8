import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabasePlace } from '../../support/database-place.ts'
import type { Sightings, WatchedPlace } from './watcher.ts'

/** Does the work while a thread with a connection of its own looks at the tree all the time, and tells what it saw. */
export async function watchTree<Result>(
  { engine, folder, settings }: DatabasePlace,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly sightings: Sightings }> {
  const { databaseUrl: url = '', databaseSchema: schema = '' } = settings
  const workerData: WatchedPlace = { engine, folder, url, schema }
  const watcher = new Worker(new URL('./watcher.ts', import.meta.url), { workerData })
  try {
    await once(watcher, 'message')
    const result = await work()
    const seen = once(watcher, 'message')
    watcher.postMessage('enough')
    const [sightings] = (await seen) as [Sightings]
    return { result, sightings }
  } finally {
    await watcher.terminate()
  }
}
