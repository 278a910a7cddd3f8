import { type BareProgram, startBareProgram } from '../bare/bare-program.ts'
import { type Call, targetOf, textOf, type WholeAnswer } from '../http/call.ts'
import { type NextRequest, sendFor, sendTimes } from '../http/load.ts'
import type { QuireProcess } from '../quire-process.ts'
import type { Contender } from '../rounds.ts'

export const manyConnections = 16

/** The server, answering requests over some connections. */
export function answering({ target, processId }: QuireProcess, next: NextRequest, connections = manyConnections): Contender {
  return { processId, rateFor: (seconds) => sendFor(seconds, target, connections, next), async stop() {} }
}

// The second look-up has a document cached, the third finds it there and leaves its answer with it.
const lookUps = 3

/** The same when all that so many requests ask for is cached. */
export function answeringFromCache(
  server: QuireProcess,
  next: NextRequest,
  requests: number,
  connections = manyConnections,
): Contender {
  const warmUp = () => sendTimes(lookUps * requests, server.target, connections, next)
  return { ...answering(server, next, connections), warmUp }
}

/** A bare program that answers the same requests over HTTP. */
export function bareAnswering(program: BareProgram, next: NextRequest, connections = manyConnections): Contender {
  const { processId, url, stop } = program
  return { processId, rateFor: (seconds) => sendFor(seconds, targetOf(url), connections, next), stop }
}

/** A bare program that works in a loop, without HTTP. */
export function bareWorking({ processId, workFor, stop }: BareProgram): Contender {
  return { processId, rateFor: workFor, stop }
}

/** The calls one after another and then from the start again. */
export function takingTurns(calls: readonly Call[]): NextRequest {
  const texts = calls.map(textOf)
  let turn = 0
  return () => texts[turn++ % texts.length] as string
}

/** The same for requests with JSON, which it reads. */
export const bareJsonAnswer = ({ headers, body }: WholeAnswer) =>
  startBareProgram(new URL('../bare/answer-json-program.ts', import.meta.url), { headers, body })

export const bareAnswer = ({ headers, body }: WholeAnswer) =>
  startBareProgram(new URL('../bare/answer-program.ts', import.meta.url), { headers, body })
