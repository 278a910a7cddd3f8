import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ConversionLimits, idlePriority } from '../converter.ts'
import { findCommand } from '../programs.ts'
import type { ConversionOrder, ConversionReply } from './conversion-messages.ts'
import { folderBytes, residentBytes } from './process-use.ts'

/** Why a conversion process was lost in the middle of its work. */
export type ConversionLoss = 'outOfTime' | 'outOfMemory' | 'tooMuchOutput' | 'ended' | 'aborted'

export class ConversionProcessLost extends Error {
  readonly reason: ConversionLoss

  constructor(reason: ConversionLoss, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.reason = reason
  }
}

/** A process that converts, seen from its server. */
export interface ConversionProcess {
  /** Where its conversions have their folders. */
  readonly folder: string
  /** One at a time. @throws ConversionProcessLost; the process is no more then. */
  convert(order: ConversionOrder, signal?: AbortSignal): Promise<ConversionReply>
  isRunning(): boolean
  /** Of itself and all that it has started. */
  residentBytes(): number
  /** At once, with all that it has started, and its folder. */
  end(): Promise<void>
}

// TypeScript in the sources, JavaScript in the bundle, beside this file in both.
const program = fileURLToPath(new URL(`./conversion-process-program${extname(import.meta.url)}`, import.meta.url))

// Linux calls such processes idle; the number says nothing for them, and has to be there.
const asIdler = ['-i', '0']

export const folderPrefix = 'quire-conversion-'

// A busy machine takes a second or two; one that takes longer is not going to, unless it gets no time while others want some.
const startMilliseconds = (priority: number) => (priority === idlePriority ? 300_000 : 30_000)
const watchMilliseconds = 250
// Of what it prints when it breaks down.
const lastWordsLength = 2_000
const megabyte = 1024 ** 2

/** Processes rather than threads: what takes for ever, or more memory than there is, can be ended, and ends nothing else. */
export async function startConversionProcess(
  limits: Pick<ConversionLimits, 'memoryBytes'>,
  priority: number,
): Promise<ConversionProcess> {
  // The number tells which server it was, when that is gone.
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const child = forked(folder, limits.memoryBytes, priority)
  const gone = Promise.withResolvers<void>()
  let isGone = false
  let lastWords = ''
  let listener = listening()
  let loss: ConversionLoss = 'ended'
  child.on('message', (reply) => listener.resolve(reply as ConversionReply))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength)
  })
  child.on('exit', (code, signal) => lose(`it ended with ${signal ?? code}`))
  child.on('error', (error) => {
    killFamily()
    // What was never started does not exit either.
    if (child.pid === undefined) lose(error.message)
  })
  const ready = listener.promise
  unreference()

  function lose(how: string): void {
    isGone = true
    gone.resolve()
    if (loss === 'ended' && /heap out of memory|Array buffer allocation failed/.test(lastWords)) loss = 'outOfMemory'
    listener.reject(new ConversionProcessLost(loss, `A conversion process was lost: ${how}`, { cause: lastWords || undefined }))
  }
  function killFamily(reason: ConversionLoss = loss): void {
    loss = reason
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // Nothing of it is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') child.kill('SIGKILL')
    }
  }
  function reference(): void {
    child.ref()
    child.channel?.ref()
  }
  /** The process keeps its server from ending only while a caller waits for it. */
  function unreference(): void {
    child.unref()
    child.channel?.unref()
    const stderr = child.stderr as { unref?: () => void } | null
    stderr?.unref?.()
  }
  function ask(order: ConversionOrder): Promise<ConversionReply> {
    listener = listening()
    child.send(order, (error) => {
      if (error !== null) killFamily()
    })
    return listener.promise
  }
  /** What is awaited, while the process stays within the limits. */
  async function watched<Result>(
    awaited: Promise<Result>,
    { milliseconds, memoryBytes, outputBytes }: Pick<ConversionLimits, 'milliseconds' | 'memoryBytes' | 'outputBytes'>,
    signal: AbortSignal | undefined,
    work?: string,
  ): Promise<Result> {
    const alarm = setTimeout(() => killFamily('outOfTime'), milliseconds)
    const abort = () => killFamily('aborted')
    signal?.addEventListener('abort', abort, { once: true })
    const look = async () => {
      if (residentBytes(child.pid) > memoryBytes) killFamily('outOfMemory')
      else if (work !== undefined && (await folderBytes(work, outputBytes)) > outputBytes) killFamily('tooMuchOutput')
    }
    let looking: Promise<void> = Promise.resolve()
    const watch = setInterval(() => {
      looking = looking.then(look, look)
    }, watchMilliseconds)
    try {
      return await awaited
    } finally {
      clearTimeout(alarm)
      clearInterval(watch)
      signal?.removeEventListener('abort', abort)
    }
  }

  return {
    folder,
    async convert(order, signal) {
      reference()
      try {
        await watched(ready, { ...order.limits, milliseconds: startMilliseconds(priority) }, signal)
        return await watched(ask(order), order.limits, signal, order.folder)
      } finally {
        unreference()
      }
    },
    isRunning: () => !isGone && child.connected,
    residentBytes: () => residentBytes(child.pid),
    async end() {
      if (!isGone) {
        reference()
        killFamily()
        await gone.promise
      } else killFamily()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/**
 * Its own process group, so that it can be ended with all that it starts. It may write to its own folder, reach no network and see
 * nothing of the server's environment, which has passwords in it.
 */
function forked(folder: string, memoryBytes: number, priority: number): ChildProcess {
  const heap = Math.max(64, Math.floor((memoryBytes * 0.75) / megabyte))
  const idler = priority === idlePriority ? findCommand(['chrt'], process.env['PATH'] ?? '') : undefined
  return fork(program, [String(Math.min(priority, idlePriority - 1))], {
    ...(idler !== undefined && { execPath: idler }),
    execArgv: [
      ...(idler === undefined ? [] : [...asIdler, process.execPath]),
      ...process.execArgv.filter((option) => option.startsWith('--conditions')),
      `--max-old-space-size=${heap}`,
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
      '--permission',
      '--allow-fs-read=*',
      `--allow-fs-write=${folder}`,
      '--allow-addons',
      '--allow-child-process',
      '--allow-worker',
    ],
    cwd: folder,
    detached: true,
    env: environmentIn(folder),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

// Of a proxy that is nowhere, for programs that would fetch what a file refers to.
const nowhere = 'http://127.0.0.1:9'

function environmentIn(folder: string): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return {
    ...(PATH !== undefined && { PATH }),
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    HOME: folder,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    http_proxy: nowhere,
    https_proxy: nowhere,
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
  }
}

/** An answer for its caller. A process may be lost while there is none: that rejection must not end the server. */
function listening(): PromiseWithResolvers<ConversionReply> {
  const answer = Promise.withResolvers<ConversionReply>()
  answer.promise.catch(() => {})
  return answer
}
