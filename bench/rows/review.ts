import { startBareProgram } from '../bare/bare-program.ts'
import type { ReviewSetup } from '../bare/review-program.ts'
import { answerTo, type Call, type Target } from '../http/call.ts'
import { editor } from '../load/people.ts'
import type { Contender } from '../rounds.ts'
import { bareWorking, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** A review from its start to its end, by somebody who asks themselves: three requests that write, and two that look for the task. */
export const review: RateRow = {
  name: 'review',
  title: `a serial review from start to end, ${manyConnections} at once`,
  leastShare: 0.5,
  async prepare({ place: { database }, server: { target, processId } }) {
    // The first ones of a day have other names than those that follow.
    for (let count = 0; count < 3; count += 1) await reviewOnce(target)
    const { routeId, tasks } = await reviewOnce(target)
    const nodes = await nodesOf(target, routeId)
    const [choose = '', validate = ''] = tasks
    const node = (id: string) => nodes.get(id) ?? ''
    const setup: ReviewSetup = {
      database,
      together: manyConnections,
      steps: [
        { inserted: [routeId, ...nodes.values(), choose], updated: [] },
        { inserted: [validate], updated: [choose, routeId, node('Task38e'), node('Task6d8')] },
        { inserted: [], updated: [validate, routeId, node('Task6d8'), node('Task5c1')] },
      ],
    }
    const program = await startBareProgram(new URL('../bare/review-program.ts', import.meta.url), setup)
    return { quire: reviewing(target, processId), bare: bareWorking(program) }
  },
}

function reviewing(target: Target, processId: number): Contender {
  return {
    processId,
    async rateFor(seconds) {
      const started = performance.now()
      const end = started + seconds * 1_000
      let done = 0
      const work = async () => {
        for (; performance.now() < end; done += 1) await reviewOnce(target)
      }
      await Promise.all(Array.from({ length: manyConnections }, work))
      return done / ((performance.now() - started) / 1_000)
    },
    async stop() {},
  }
}

async function ask(target: Target, method: Call['method'], path: string, body?: object) {
  const call = { method, path: `/api/v1${path}`, user: editor.name, ...(body && { body: JSON.stringify(body) }) }
  return JSON.parse((await answerTo(call, target)).body)
}

async function reviewOnce(target: Target) {
  const start = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }
  const { id: routeId } = await ask(target, 'POST', '/workflow', start)
  const tasks: string[] = []
  for (const [action, variables] of [
    ['start_review', { participants: [editor.name] }],
    ['validate', {}],
  ] as const) {
    const [task] = (await ask(target, 'GET', `/task?workflowInstanceId=${routeId}`)).entries
    tasks.push(task.id)
    await ask(target, 'PUT', `/task/${task.id}/${action}`, { 'entity-type': 'task', variables })
  }
  return { routeId, tasks }
}

/** The documents of the nodes, by the ids of these. */
async function nodesOf(target: Target, routeId: string): Promise<ReadonlyMap<string, string>> {
  const query = `SELECT * FROM RouteNode WHERE ecm:parentId = '${routeId}'`
  const { entries } = await ask(target, 'GET', `/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
  return new Map(entries.map(({ uid, path }: { uid: string; path: string }) => [path.split('/').at(-1) ?? '', uid]))
}
