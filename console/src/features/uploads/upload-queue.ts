/** A file on its way to a folder. */
export interface Upload {
  readonly id: string
  readonly name: string
  readonly size: number
  /** The folder that it becomes a document in. */
  readonly parentId: string
  readonly state: UploadState
  readonly sentBytes: number
  /** What the server said to it. */
  readonly problem?: string
}

export type UploadState = 'waiting' | 'sending' | 'paused' | 'done' | 'failed'

/** What is needed to go on with it, also after the page was left. */
export interface UploadTask {
  readonly id: string
  /** Whose document it becomes: the next who signs in with this browser has nothing to do with it. */
  readonly owner: string
  readonly file: File
  readonly parentId: string
  /** A document of the same file gets the new content, instead of a second one beside it. */
  readonly replaces?: boolean
  readonly batchId?: string
}

/** How bytes travel. A loss of the network is a `NetworkLoss`; anything else that is thrown is a refusal. */
export interface UploadTransport {
  openBatch(signal: AbortSignal): Promise<string>
  /** Which chunks have arrived; undefined where the server no longer knows the batch. */
  listChunks(batchId: string, signal: AbortSignal): Promise<ReadonlySet<number> | undefined>
  sendChunk(chunk: Chunk, signal: AbortSignal): Promise<void>
  /** Makes the document. Called again with the same task it makes no second one. */
  finish(task: UploadTask & { readonly batchId: string }, signal: AbortSignal): Promise<void>
}

export interface Chunk {
  readonly batchId: string
  readonly file: File
  readonly index: number
  readonly count: number
  readonly bytes: Blob
}

/** Where tasks are kept until they are done. */
export interface TaskShelf {
  put(task: UploadTask): Promise<void>
  remove(id: string): Promise<void>
}

export class NetworkLoss extends Error {}

export interface UploadQueueOptions {
  readonly transport: UploadTransport
  readonly shelf: TaskShelf
  readonly atOnce?: number
  readonly chunkBytes?: number
  /** Waits before the next attempt after a loss; gives up when the signal says so. */
  pause(attempt: number, signal: AbortSignal): Promise<void>
  onChange(): void
  /** The document is there. */
  onDone(upload: Upload): void
}

interface Entry {
  task: UploadTask
  upload: Upload
  stop: AbortController
}

export interface UploadQueue {
  readonly uploads: readonly Upload[]
  add(tasks: readonly UploadTask[]): void
  pause(id: string): void
  resume(id: string): void
  cancel(id: string): void
  /** Forgets those that are done. */
  clear(): void
}

/** Sends files in chunks, a few at a time, and goes on where it was after a pause, a lost network or another visit. */
export function createUploadQueue(options: UploadQueueOptions): UploadQueue {
  const { transport, shelf, atOnce = 3, chunkBytes = 5_000_000, onChange, onDone } = options
  const entries = new Map<string, Entry>()
  let uploads: readonly Upload[] = []

  const show = () => {
    uploads = [...entries.values()].map(({ upload }) => upload)
    onChange()
  }

  const change = (entry: Entry, changes: Partial<Upload>) => {
    entry.upload = { ...entry.upload, ...changes }
    show()
  }

  function startNext(): void {
    const sending = [...entries.values()].filter(({ upload }) => upload.state === 'sending').length
    const waiting = [...entries.values()].filter(({ upload }) => upload.state === 'waiting')
    for (const entry of waiting.slice(0, Math.max(0, atOnce - sending))) void run(entry)
  }

  async function run(entry: Entry): Promise<void> {
    entry.stop = new AbortController()
    const { signal } = entry.stop
    change(entry, { state: 'sending', problem: undefined })
    try {
      await untilThrough(entry, signal)
      await shelf.remove(entry.task.id)
      change(entry, { state: 'done', sentBytes: entry.upload.size })
      onDone(entry.upload)
    } catch (error) {
      // Who stopped it has said what it is now.
      if (!signal.aborted) change(entry, { state: 'failed', problem: error instanceof Error ? error.message : String(error) })
    }
    startNext()
  }

  /** However often the network is lost on the way. */
  async function untilThrough(entry: Entry, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send(entry, signal)
      } catch (error) {
        if (!(error instanceof NetworkLoss) || signal.aborted) throw error
        await options.pause(attempt, signal)
      }
    }
  }

  async function send(entry: Entry, signal: AbortSignal): Promise<void> {
    const { file } = entry.task
    const { batchId, arrived } = await openOrFind(entry, signal)
    const count = Math.max(1, Math.ceil(file.size / chunkBytes))
    const bytesOf = (index: number) => file.slice(index * chunkBytes, (index + 1) * chunkBytes)
    let sentBytes = [...arrived].reduce((sum, index) => sum + bytesOf(index).size, 0)
    change(entry, { sentBytes })
    for (let index = 0; index < count; index += 1) {
      if (arrived.has(index)) continue
      const bytes = bytesOf(index)
      await transport.sendChunk({ batchId, file, index, count, bytes }, signal)
      sentBytes += bytes.size
      change(entry, { sentBytes })
    }
    await transport.finish({ ...entry.task, batchId }, signal)
  }

  async function openOrFind(entry: Entry, signal: AbortSignal) {
    const known = entry.task.batchId
    const arrived = known === undefined ? undefined : await transport.listChunks(known, signal)
    if (known !== undefined && arrived !== undefined) return { batchId: known, arrived }
    const batchId = await transport.openBatch(signal)
    entry.task = { ...entry.task, batchId }
    await shelf.put(entry.task)
    return { batchId, arrived: new Set<number>() }
  }

  function stop(id: string, state: 'paused' | undefined): void {
    const entry = entries.get(id)
    if (entry === undefined || entry.upload.state === 'done') return
    entry.stop.abort()
    if (state === undefined) {
      entries.delete(id)
      void shelf.remove(id)
      show()
    } else change(entry, { state })
    startNext()
  }

  return {
    get uploads() {
      return uploads
    },
    add(tasks) {
      for (const task of tasks) {
        const { id, file, parentId } = task
        const upload: Upload = { id, name: file.name, size: file.size, parentId, state: 'waiting', sentBytes: 0 }
        entries.set(id, { task, upload, stop: new AbortController() })
        void shelf.put(task)
      }
      show()
      startNext()
    },
    pause: (id) => stop(id, 'paused'),
    cancel: (id) => stop(id, undefined),
    resume(id) {
      const entry = entries.get(id)
      if (entry === undefined || !['paused', 'failed'].includes(entry.upload.state)) return
      change(entry, { state: 'waiting', problem: undefined })
      startNext()
    },
    clear() {
      for (const [id, { upload }] of entries) if (upload.state === 'done') entries.delete(id)
      show()
    },
  }
}
