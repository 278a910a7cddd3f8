import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A program that does by the barest means what the server does, in a process of its own. */
export interface BareProgram {
  readonly processId: number
  /** Where it listens, if it does. */
  readonly url: string
  /** Works for so many seconds without HTTP; gives how often in a second it did what it is for. */
  workFor(seconds: number): Promise<number>
  stop(): Promise<void>
}

/** Starts a program that calls `runAsBareProgram`. */
export async function startBareProgram(program: URL, setup: object): Promise<BareProgram> {
  const child = fork(program, { stdio: 'inherit' })
  const { url } = await ask<{ url: string }>(child, setup)
  return {
    processId: child.pid ?? 0,
    url,
    workFor: async (seconds) => (await ask<{ rate: number }>(child, { seconds })).rate,
    async stop() {
      child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answered = new AbortController()
  const { signal } = answered
  const failure = once(child, 'exit', { signal }).then(([code]) =>
    Promise.reject(new Error(`A bare program ended with code ${code}.`)),
  )
  child.send(question)
  try {
    const [answer] = await Promise.race([once(child, 'message'), failure])
    return answer
  } finally {
    failure.catch(() => {})
    answered.abort()
  }
}

interface Work {
  readonly url?: string
  readonly once?: () => Promise<void>
  /** That `once` does together; one unless it says otherwise. */
  readonly pieces?: number
}

/** The side of the child: sets itself up as it is told, then works whenever it is asked to. */
export function runAsBareProgram<Setup>(prepare: (setup: Setup) => Promise<Work>): void {
  process.once('message', async (setup) => {
    const work = await prepare(setup as Setup)
    process.on('message', async ({ seconds }: { seconds: number }) => {
      process.send?.({ rate: await rateOf(work, seconds) })
    })
    process.send?.({ url: work.url ?? '' })
  })
  process.once('disconnect', () => process.exit())
}

async function rateOf({ once = async () => {}, pieces = 1 }: Work, seconds: number): Promise<number> {
  const started = performance.now()
  const end = started + seconds * 1_000
  let done = 0
  for (; performance.now() < end; done += pieces) await once()
  return done / ((performance.now() - started) / 1_000)
}
