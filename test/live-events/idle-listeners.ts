import { callOnce } from '../support/call-once.ts'
import { basicHeader, type EventStream, openEventStream } from '../support/event-stream.ts'
import { anonymousMegabytes } from '../support/process-memory.ts'
import type { Program } from '../support/program.ts'

export const idleFlags = ['--live-event-streams-per-user', '10000', '--max-connections-per-address', '10000']

export interface IdleListeners {
  readonly streams: readonly EventStream[]
  /** What they cost the process together by now: memory that is not of files. */
  measure(): number
}

const openedAtOnce = 50

/** Has so many listen to a server and measures what that takes. A first event has come to each of them; then nothing happens. */
export async function openIdleListeners(
  { url, processId }: Pick<Program, 'url' | 'processId'>,
  count: number,
): Promise<IdleListeners> {
  // What the first ones load and compile is no cost of listening.
  const first = await openMany(url, openedAtOnce)
  await hearAll(url, first)
  for (const stream of first) stream.close()
  await Promise.all(first.map(({ closed }) => closed))
  const before = anonymousMegabytes(processId)
  const streams = await openMany(url, count)
  await hearAll(url, streams)
  return { streams, measure: () => anonymousMegabytes(processId) - before }
}

async function openMany(url: string, count: number): Promise<readonly EventStream[]> {
  const streams: EventStream[] = []
  while (streams.length < count) {
    const next = Math.min(openedAtOnce, count - streams.length)
    streams.push(...(await Promise.all(Array.from({ length: next }, () => openEventStream(url, basicHeader('Administrator'))))))
  }
  return streams
}

async function hearAll(url: string, streams: readonly EventStream[]): Promise<void> {
  const { body } = await callOnce(url, 'Administrator', 'POST', '/path/default-domain/workspaces', {
    'entity-type': 'document',
    type: 'File',
    name: 'heard',
  })
  await Promise.all(streams.map((stream) => stream.until(({ data }) => data.documentId === body.uid)))
}
