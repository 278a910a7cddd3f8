import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../../base/log.ts'
import type { LogState } from './write-back.ts'

/** Has the log written back by another thread, so that no commit has to do it. */
export interface Checkpointer {
  /** Called when something was committed, outside of any transaction: looks at the log, which takes some 3 µs. */
  noteCommit(): void
  /** Once nothing of this is open any more. */
  close(): Promise<void>
}

// TypeScript in the sources, JavaScript in the bundle, beside this file in both.
const program = new URL(`./checkpoint-thread-program${extname(import.meta.url)}`, import.meta.url)

// 16 MB. Pages written over and over, as the right edges of indexes are, go to the main file less often than by default.
const pagesToWriteBack = 4_000

// Readers of an old snapshot may keep the log from being written back; the rest of it can wait for so long.
const restMilliseconds = 250
const restAfterFailureMilliseconds = 10_000

// A thread takes 10 MB, and 30 ms of another processor core to start.
const idleMilliseconds = 60_000

/**
 * The thread is started when there is something to write back and ends when there was nothing for a minute. Several processes may
 * have one for the same file: SQLite lets one of them at a time. Should none come through, commits write the log back themselves,
 * once it has four times the pages (`wal_autocheckpoint`).
 */
export function createCheckpointer(file: string, lookAtLog: () => LogState, log: Log): Checkpointer {
  let thread: Worker | undefined
  let isAsked = false
  let nextLook = 0
  const ending = new Set<Promise<void>>()
  const idle = setTimeout(() => end(), idleMilliseconds).unref()

  function start(): Worker {
    const started = new Worker(program, {
      workerData: file,
      execArgv: [],
      // Far above what it takes: V8 ends the whole process where an isolate is short of room before it is complete.
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    started.unref()
    started.on('message', () => {
      isAsked = false
      nextLook = performance.now() + restMilliseconds
    })
    started.on('error', (err) => log.warn({ event: 'checkpoint.failed', err }, 'the log of the database was not written back'))
    const gone = new Promise<void>((resolve) => {
      started.on('exit', () => {
        ending.delete(gone)
        resolve()
        if (thread !== started) return
        thread = undefined
        isAsked = false
        nextLook = performance.now() + restAfterFailureMilliseconds
      })
    })
    ending.add(gone)
    return started
  }

  function end(): void {
    const ended = thread
    thread = undefined
    isAsked = false
    ended?.postMessage('end')
    ended?.ref()
  }

  return {
    noteCommit() {
      if (isAsked || performance.now() < nextLook) return
      const { pages, writtenBack } = lookAtLog()
      if (pages < pagesToWriteBack || writtenBack === pages) return
      thread ??= start()
      isAsked = true
      thread.postMessage('writeBack')
      idle.refresh()
    },
    async close() {
      clearTimeout(idle)
      nextLook = Number.POSITIVE_INFINITY
      end()
      await Promise.all(ending)
    },
  }
}
