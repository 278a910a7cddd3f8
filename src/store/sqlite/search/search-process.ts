import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { databaseUnusable } from '../../problems.ts'
import { OutOfTime, SearchProcessLost } from '../sqlite-errors.ts'
import type { SearchAnswer, SearchOrder, SearchResult } from './search-messages.ts'

/** A process that runs searches, seen from its server. */
export interface SearchProcess {
  /** One at a time. Rejects with OutOfTime when the time is over, and with SearchProcessLost when the process is. */
  search(order: SearchOrder): Promise<SearchResult>
  readonly processId: number | undefined
  isRunning(): boolean
  /** At once, in the middle of a search: it only reads. */
  end(): Promise<void>
}

// TypeScript in the sources, JavaScript in the bundle, beside this file in both.
const program = fileURLToPath(new URL(`./search-process-program${extname(import.meta.url)}`, import.meta.url))

// A busy machine takes a second or two; one that takes longer is not going to.
const startMilliseconds = 15_000

// A process that has not noticed by then that its time is over never will.
const graceMilliseconds = 1_000

/**
 * Starts a process rather than a thread, because it can be ended: a thread comes back from SQLite only when the statement is done
 * (measured: `terminate` waited 8 s for one). It costs about as much: 50 rows of documents take 190 µs longer than from the same
 * thread (135 µs from another one) and 65 µs less of the server's own time, as they arrive ready made; 17 MB of memory of its own.
 * @throws SearchProcessLost where that is known at once; else the first search does.
 */
export function startSearchProcess(file: string): SearchProcess {
  const child = forked(file)
  const gone = Promise.withResolvers<void>()
  let isGone = false
  let listener = listening()
  child.on('message', (answer) => listener.resolve(answer as SearchAnswer))
  child.on('exit', () => lose(new SearchProcessLost('A search process ended before its search.')))
  child.on('error', (error) => {
    child.kill('SIGKILL')
    const lost = new SearchProcessLost('A search process does not answer.', { cause: error })
    // What was never started does not exit either.
    if (child.pid === undefined) lose(lost)
    else listener.reject(lost)
  })
  const ready = listener.promise
  unreference()

  function lose(error: SearchProcessLost): void {
    isGone = true
    gone.resolve()
    listener.reject(error)
  }
  /** The process keeps its server from ending only while a caller waits for an answer. */
  function reference(): void {
    child.ref()
    child.channel?.ref()
  }
  function unreference(): void {
    child.unref()
    child.channel?.unref()
  }
  function ask(order: SearchOrder): Promise<SearchAnswer> {
    listener = listening()
    child.send(order, (error) => {
      if (error !== null) listener.reject(new SearchProcessLost('A search process cannot be reached.', { cause: error }))
    })
    return listener.promise
  }
  /** What is awaited; when that takes longer, the process is ended and the caller gets an error. */
  async function within<Result>(milliseconds: number, awaited: Promise<Result>, overdue: () => Error): Promise<Result> {
    let isOverdue = false
    const alarm = setTimeout(() => {
      isOverdue = true
      child.kill('SIGKILL')
    }, milliseconds)
    try {
      return await awaited
    } catch (error) {
      throw isOverdue ? overdue() : error
    } finally {
      clearTimeout(alarm)
    }
  }

  return {
    async search(order) {
      reference()
      try {
        await within(startMilliseconds, ready, () => new SearchProcessLost('A search process does not start.'))
        return resultOf(await within(order.milliseconds + graceMilliseconds, ask(order), () => new OutOfTime()))
      } finally {
        unreference()
      }
    },
    processId: child.pid,
    isRunning: () => !isGone && child.connected,
    async end() {
      if (isGone) return
      reference()
      child.kill('SIGKILL')
      await gone.promise
    },
  }
}

/** No descriptor left, or no such program, is said at once or later, as the system has it. */
function forked(file: string): ChildProcess {
  try {
    return fork(program, [file], { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  } catch (error) {
    throw new SearchProcessLost('A search process cannot be started.', { cause: error })
  }
}

/** An answer for its caller. A process may be lost while there is none: that rejection must not end the server. */
function listening(): PromiseWithResolvers<SearchAnswer> {
  const answer = Promise.withResolvers<SearchAnswer>()
  answer.promise.catch(() => {})
  return answer
}

function resultOf(answer: SearchAnswer): SearchResult {
  switch (answer.kind) {
    case 'rows':
      return answer
    case 'outOfTime':
      throw new OutOfTime()
    case 'unusable':
      throw databaseUnusable({ place: answer.place, reason: answer.reason })
    case 'failed':
      throw answer.error
    case 'ready':
      throw new Error('A search process said twice that it is ready.')
  }
}
