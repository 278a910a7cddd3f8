import { startBareProgram } from '../bare/bare-program.ts'
import type { ReviewSetup } from '../bare/review-program.ts'
import { answerTo, type Call, type Target, targetOf, type WholeAnswer } from '../http/call.ts'
import { editor } from '../load/people.ts'
import type { Contender } from '../rounds.ts'
import { bareWorking, manyConnections } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

/** A review from its start to its end, by somebody who asks themselves: three requests that write, and two that look for the task. */
export const review = reviewRow({
  name: 'review',
  title: `a serial review from start to end, ${manyConnections} at once`,
  leastShare: 0.5,
  inLoop: false,
})

export const reviewAgainstLoop = reviewRow({
  name: 'review-loop',
  title: 'the same; bare: no HTTP, and nothing is looked for',
  inLoop: true,
})

function reviewRow({ inLoop, ...row }: Omit<RateRow, 'prepare'> & { readonly inLoop: boolean }): RateRow {
  return {
    ...row,
    async prepare({ place: { database }, server: { target, processId } }) {
      // The first ones of a day have other names than those that follow.
      for (let count = 0; count < 3; count += 1) await reviewOnce(target)
      const { routeId, started, choice, validation } = await reviewOnce(target)
      const nodes = await nodesOf(target, routeId)
      const node = (id: string) => nodes.get(id) ?? ''
      const setup: ReviewSetup = {
        database,
        together: manyConnections,
        routeId,
        nodeId: node('Task38e'),
        steps: [
          { inserted: [routeId, ...nodes.values(), choice.taskId], updated: [], answer: started, listed: choice.listed },
          {
            inserted: [validation.taskId],
            updated: [choice.taskId, routeId, node('Task38e'), node('Task6d8')],
            answer: choice.completed,
            listed: validation.listed,
          },
          {
            inserted: [],
            updated: [validation.taskId, routeId, node('Task6d8'), node('Task5c1')],
            answer: validation.completed,
          },
        ],
      }
      const program = await startBareProgram(new URL('../bare/review-program.ts', import.meta.url), setup)
      const overHttp = { ...reviewing(targetOf(program.url), program.processId), stop: program.stop }
      return { quire: reviewing(target, processId), bare: inLoop ? bareWorking(program) : overHttp }
    },
  }
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

function ask(target: Target, method: Call['method'], path: string, body?: object): Promise<WholeAnswer> {
  const call = { method, path: `/api/v1${path}`, user: editor.name, ...(body && { body: JSON.stringify(body) }) }
  return answerTo(call, target)
}

async function reviewOnce(target: Target) {
  const started = await ask(target, 'POST', '/workflow', { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' })
  const { id: routeId } = JSON.parse(started.body)
  const complete = async (action: string, variables: object) => {
    const listed = await ask(target, 'GET', `/task?workflowInstanceId=${routeId}`)
    const [{ id: taskId }] = JSON.parse(listed.body).entries
    const completed = await ask(target, 'PUT', `/task/${taskId}/${action}`, { 'entity-type': 'task', variables })
    return { taskId, listed, completed }
  }
  const choice = await complete('start_review', { participants: [editor.name] })
  const validation = await complete('validate', {})
  return { routeId, started, choice, validation }
}

/** The documents of the nodes, by the ids of these. */
async function nodesOf(target: Target, routeId: string): Promise<ReadonlyMap<string, string>> {
  const query = `SELECT * FROM RouteNode WHERE ecm:parentId = '${routeId}'`
  const found = await ask(target, 'GET', `/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`)
  const { entries } = JSON.parse(found.body)
  return new Map(entries.map(({ uid, path }: { uid: string; path: string }) => [path.split('/').at(-1) ?? '', uid]))
}
