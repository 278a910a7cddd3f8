import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DigestAlgorithm, StoredBlob } from '../blob-store.ts'

/** What a file of this machine is, found out by another thread. */
export type FileDigester = (path: string) => Promise<StoredBlob>

export interface DigestOrder {
  readonly path: string
  readonly digestAlgorithm: DigestAlgorithm
}

export type DigestReply = { readonly stored: StoredBlob } | { readonly error: unknown }

// TypeScript in the sources, JavaScript in the bundle, beside this file in both.
const program = new URL(`./digest-thread-program${extname(import.meta.url)}`, import.meta.url)

// A thread takes 10 MB.
const idleMilliseconds = 30_000

/**
 * Two digests take some 5 ms for a picture of two megabytes, and the thread that answers requests would answer none meanwhile. The thread
 * is started with the first file, digests one after the other, and ends when there was none for a while.
 */
export function createFileDigester(digestAlgorithm: DigestAlgorithm): FileDigester {
  let thread: Worker | undefined
  const waiting: PromiseWithResolvers<StoredBlob>[] = []
  const idle = setTimeout(() => end(), idleMilliseconds).unref()

  function start(): Worker {
    const started = new Worker(program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 64 } })
    started.on('message', (reply: DigestReply) => {
      const next = waiting.shift()
      if ('stored' in reply) next?.resolve(reply.stored)
      else next?.reject(reply.error)
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

  return (path) => {
    thread ??= start()
    thread.ref()
    const order: DigestOrder = { path, digestAlgorithm }
    thread.postMessage(order)
    idle.refresh()
    const digested = Promise.withResolvers<StoredBlob>()
    waiting.push(digested)
    return digested.promise
  }
}
