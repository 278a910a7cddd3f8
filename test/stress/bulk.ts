import { setTimeout as pause } from 'node:timers/promises'
import { keepDoing, latenciesOf, p99 } from '../search/heavy-query/latencies.ts'
import type { EngineName } from '../support/database-place.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { onStressPlace } from './stress-place.ts'

/** All but one in a hundred look-ups may take so many times as long while the action runs. */
const toleratedFactor = 3
const warmUpMilliseconds = 3_000
const measuredMilliseconds = 10_000
const lookAgainMilliseconds = 500

/** Changes all documents through an operation in the background, watches how far it comes, and looks documents up meanwhile. */
export async function stressByBulk(engine: EngineName, documents: number): Promise<boolean> {
  const run = await onStressPlace(engine, (place) => onFilledServer(place, documents, [], changeAll))
  const { quiet, busy, seconds, seen, status } = run
  const isWhole = status.state === 'COMPLETED' && status.errorCount === 0 && status.processed >= documents
  const isSeen = seen.size >= 5
  const isFair = busy < toleratedFactor * quiet
  const isSound = isWhole && isSeen && isFair
  console.log(
    `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${status.processed} of ${documents} documents changed in ${seconds.toFixed(0)} s, ` +
      `${status.errorCount} failed, ${seen.size} states seen on the way; p99 of GET /id ${quiet.toFixed(2)} ms, ` +
      `${busy.toFixed(2)} ms meanwhile: ${(busy / quiet).toFixed(2)} times`,
  )
  return isSound
}

async function changeAll({ call, lookUp }: FilledServer) {
  await latenciesOf(lookUp, warmUpMilliseconds)
  const quiet = p99(await latenciesOf(lookUp, measuredMilliseconds))
  const started = performance.now()
  const id = await submit(call)
  const seen = new Set<number>()
  const watching = keepDoing(async () => {
    seen.add((await statusOf(call, id)).processed)
    await pause(lookAgainMilliseconds)
  })
  const busy = p99(await latenciesOf(lookUp, measuredMilliseconds))
  let status = await statusOf(call, id)
  for (; !['COMPLETED', 'ABORTED'].includes(status.state); status = await statusOf(call, id)) await pause(lookAgainMilliseconds)
  await watching.end()
  return { quiet, busy, seen, status, seconds: (performance.now() - started) / 1000 }
}

async function submit(call: FilledServer['call']): Promise<string> {
  const { status, body } = await call('POST', '/automation/Bulk.RunAction', {
    params: {
      action: 'automation',
      query: "SELECT * FROM Document WHERE ecm:path STARTSWITH '/default-domain/workspaces'",
      parameters: JSON.stringify({
        operationId: 'Document.Update',
        parameters: { properties: { 'dc:description': 'changed with all others' } },
      }),
    },
  })
  if (status !== 200) throw new Error(`The action was answered with ${status}: ${body}`)
  return JSON.parse(body).value.commandId
}

async function statusOf(
  call: FilledServer['call'],
  id: string,
): Promise<{ state: string; processed: number; errorCount: number }> {
  return JSON.parse((await call('GET', `/bulk/${id}`)).body)
}
