import { useSyncExternalStore } from 'react'
import { openKeptTasks } from './kept-tasks.ts'
import { createUploadQueue, type Upload, type UploadQueue } from './upload-queue.ts'
import { batchTransport } from './upload-transport.ts'

const watchers = new Set<() => void>()
const doneWatchers = new Set<(upload: Upload) => void>()
const kept = openKeptTasks()
const longestPauseSeconds = 30
let isDrawn = true

/** One for the whole visit: uploads go on while one walks through the console. */
const queue: UploadQueue = createUploadQueue({
  transport: batchTransport,
  shelf: { put: async (task) => (await kept).put(task), remove: async (id) => (await kept).remove(id) },
  pause: (attempt, signal) => pauseOrOnline(Math.min(longestPauseSeconds, 2 ** attempt) * 1_000, signal),
  onChange: () => {
    // Many files change many times a second; a screen shows sixty of them.
    if (!isDrawn) return
    isDrawn = false
    requestAnimationFrame(() => {
      isDrawn = true
      for (const watch of watchers) watch()
    })
  },
  onDone: (upload) => {
    for (const watch of doneWatchers) watch(upload)
  },
})

/** Whoever signs in anew has the page loaded anew. */
const user = Promise.withResolvers<string>()

/** Goes on with what an earlier visit of the user left. */
export async function resumeKeptUploads(userId: string): Promise<void> {
  user.resolve(userId)
  const tasks = await (await kept).listOf(userId)
  if (tasks.length > 0) queue.add(tasks)
}

/** A file and the folder that it goes into. */
export interface PlacedFile {
  readonly file: File
  readonly parentId: string
  readonly replaces?: boolean
}

export async function uploadFiles(files: readonly PlacedFile[]): Promise<void> {
  const owner = await user.promise
  queue.add(files.map((placed) => ({ id: crypto.randomUUID(), owner, ...placed })))
}

export const { pause: pauseUpload, resume: resumeUpload, cancel: cancelUpload, clear: clearUploads } = queue

export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(watch, () => queue.uploads)
}

export function onUploaded(watcher: (upload: Upload) => void): () => void {
  doneWatchers.add(watcher)
  return () => doneWatchers.delete(watcher)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Until the time is over, the browser says that the network is back, or somebody stops it. */
function pauseOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  const go = () => resolve()
  addEventListener('online', go, { once: true })
  signal.addEventListener('abort', go, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    removeEventListener('online', go)
    signal.removeEventListener('abort', go)
  })
}
