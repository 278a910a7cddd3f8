import { setTimeout as pause } from 'node:timers/promises'
import { keepDoing, latenciesOf, median, p99 } from '../search/heavy-query/latencies.ts'
import type { EngineName } from '../support/database-place.ts'
import { type FilledServer, onFilledServer } from './filled-server.ts'
import { onStressPlace } from './stress-place.ts'

/** How much longer look-ups may take while the action runs: the usual one, and all but one in a hundred. */
const toleratedMedian = 3
const toleratedMilliseconds = 50
const warmUpMilliseconds = 3_000
const measuredMilliseconds = 10_000
const lookAgainMilliseconds = 500

/** Changes all documents through an operation in the background, watches how far it comes, and looks documents up meanwhile. */
export async function stressByBulk(engine: EngineName, documents: number): Promise<boolean> {
  const run = await onStressPlace(engine, (place) => onFilledServer(place, documents, [], changeAll))
  const { quiet, busy, seconds, seen, status } = run
  const isWhole = status.state === 'COMPLETED' && status.errorCount === 0 && status.processed >= documents
  const isSeen = seen.size >= 5
  const isFair = median(busy) < toleratedMedian * median(quiet) && p99(busy) < toleratedMilliseconds
  const isSound = isWhole && isSeen && isFair
  console.log(
    `${isSound ? 'ok    ' : 'FAILED'} ${engine}: ${status.processed} of ${documents} documents changed in ${seconds.toFixed(0)} s, ` +
      `${status.errorCount} failed, ${seen.size} states seen on the way; GET /id took ${described(quiet)}, ${described(busy)} meanwhile`,
  )
  return isSound
}

function described(latencies: readonly number[]): string {
  return `${median(latencies).toFixed(2)} ms (p99 ${p99(latencies).toFixed(2)} ms)`
}

async function changeAll({ call, lookUp }: FilledServer) {
  await latenciesOf(lookUp, warmUpMilliseconds)
  const quiet = await latenciesOf(lookUp, measuredMilliseconds)
  const started = performance.now()
  const id = await submit(call)
  const seen = new Set<number>()
  const watching = keepDoing(async () => {
    seen.add((await statusOf(call, id)).processed)
    await pause(lookAgainMilliseconds)
  })
  const busy = await latenciesOf(lookUp, measuredMilliseconds)
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
