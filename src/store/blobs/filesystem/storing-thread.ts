import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DigestAlgorithm, StoredBlob } from '../blob-store.ts'

/** What becomes a blob: bytes, which are given away, a file among those that arrive, or one of which a copy does. */
export type StoringOrder =
  | { readonly blob: StoredBlob; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly blob: StoredBlob; readonly arriving: string }
  | { readonly copied: string }

export type StoringReply = { readonly stored: StoredBlob } | { readonly refusal: SystemRefusal }

/** Of an error of the system what is left of it on its way between threads. */
interface SystemRefusal {
  readonly message: string
  readonly code: string | undefined
  readonly syscall: string | undefined
}

export interface StoringSettings {
  readonly top: string
  readonly digestAlgorithm: DigestAlgorithm
}

/** Durable, with its name, when it resolves. @throws what the system says */
export type StoreBlob = (order: StoringOrder) => Promise<StoredBlob>

// TypeScript in the sources, JavaScript in the bundle, beside this file in both.
const program = new URL(`./storing-thread-program${extname(import.meta.url)}`, import.meta.url)

// A thread takes 10 MB.
const idleMilliseconds = 30_000

/**
 * A blob takes a dozen calls of the system, and each by itself would be a trip to the thread pool and back, between which the thread that
 * answers requests goes to and fro (measured: a quarter of its time while small files came in). The thread is started with the first
 * blob, does what waits together, and ends when there was none for a while.
 */
export function createStoringThread(settings: StoringSettings): StoreBlob {
  let thread: Worker | undefined
  const waiting: PromiseWithResolvers<StoredBlob>[] = []
  const idle = setTimeout(() => end(), idleMilliseconds).unref()

  function start(): Worker {
    const started = new Worker(program, {
      execArgv: [],
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    started.on('message', (reply: StoringReply) => {
      const next = waiting.shift()
      if ('stored' in reply) next?.resolve(reply.stored)
      else next?.reject(Object.assign(new Error(reply.refusal.message), reply.refusal))
      if (waiting.length === 0) started.unref()
    })
    started.on('error', (error) => {
      if (thread === started) thread = undefined
      for (const { reject } of waiting.splice(0)) reject(error)
    })
    return started
  }

  function end(): void {
    if (waiting.length > 0) {
      idle.refresh()
      return
    }
    void thread?.terminate()
    thread = undefined
  }

  return (order) => {
    thread ??= start()
    thread.ref()
    thread.postMessage(order, 'bytes' in order ? [order.bytes.buffer] : [])
    idle.refresh()
    const stored = Promise.withResolvers<StoredBlob>()
    waiting.push(stored)
    return stored.promise
  }
}
