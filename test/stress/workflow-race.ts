import { callApi } from '../support/call-api.ts'
import type { EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const start = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }

/** Three requests complete one task at once, again and again: one wins, the others are refused, and the workflow goes on once. */
export function stressByRaces(engine: EngineName, rounds: number): Promise<boolean> {
  return onStressPlace(engine, async (place, keepData) => {
    const program = await startServerProgram(place, ['--workers', '2', '--workflow-cleanup-disabled'])
    let broken = 0
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const found = await race(program.url)
        if (found === undefined) continue
        broken += 1
        console.log(`FAILED ${engine} round ${round}: ${found}`)
      }
    } finally {
      await stopProgram(program)
    }
    console.log(`${broken === 0 ? 'ok    ' : 'FAILED'} ${engine}: ${rounds} races for a task, ${broken} ended wrong`)
    if (broken > 0) keepData()
    return broken === 0
  })
}

async function openTask(url: string, id: string): Promise<string> {
  return (await callApi(url, 'GET', `/task?workflowInstanceId=${id}`)).body.entries[0].id
}

async function race(url: string): Promise<string | undefined> {
  const { id } = (await callApi(url, 'POST', '/workflow', start)).body
  const complete = (task: string, action: string, variables: object = {}) =>
    callApi(url, 'PUT', `/task/${task}/${action}`, { 'entity-type': 'task', variables })
  const participants = ['Administrator', 'Administrator']
  await complete(await openTask(url, id), 'start_review', { participants })
  const task = await openTask(url, id)
  const answers = await Promise.all([1, 2, 3].map(() => complete(task, 'validate')))
  const statuses = answers.map(({ status }) => status).sort()
  const { index } = (await callApi(url, 'GET', `/workflow/${id}`)).body.variables
  const open = (await callApi(url, 'GET', `/task?workflowInstanceId=${id}`)).body.entries.length
  const isSound = statuses.join() === '200,409,409' && index === 1 && open === 1
  const odd = answers.filter(({ status }) => status !== 200 && status !== 409).map(({ body }) => JSON.stringify(body))
  return isSound ? undefined : [`answered ${statuses.join()}, index ${index}, ${open} open tasks`, ...odd].join('; ')
}
