import { callApi } from '../support/call-api.ts'
import type { EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { onStressPlace } from './stress-place.ts'

const atOnce = 250
const own = 20
const looks = 60

/**
 * How long the task list of a user with twenty open tasks takes beside a hundred of others, and beside many. It may take half as long
 * again. Of many looks the tenth that are fastest count: what a busy machine adds to the others is not the list's.
 */
export function stressTaskLists(engine: EngineName, tasks: number): Promise<boolean> {
  return onStressPlace(engine, async (place) => {
    const program = await startServerProgram(place)
    try {
      const { url } = program
      const document = { 'entity-type': 'document', type: 'File', name: 'plan', properties: {} }
      const { uid } = (await callApi(url, 'POST', '/path/default-domain/workspaces', document)).body
      await assign(
        url,
        uid,
        Array.from({ length: own }, () => 'user:Administrator'),
      )
      await assignTo(url, uid, 0, 100 - own)
      // A server that has just started takes longer, whatever it lists.
      await timeOfList(url)
      const few = await timeOfList(url)
      await assignTo(url, uid, 100, tasks - 100)
      const many = await timeOfList(url)
      const isSound = many <= few * 1.5 + 0.5
      const figures = `${few.toFixed(2)} ms beside 100 tasks, ${many.toFixed(2)} ms beside ${tasks}`
      console.log(`${isSound ? 'ok    ' : 'FAILED'} ${engine}: a page of the task list takes ${figures}`)
      return isSound
    } finally {
      await stopProgram(program)
    }
  })
}

async function assignTo(url: string, uid: string, from: number, count: number): Promise<void> {
  for (let start = from; start < from + count; start += atOnce) {
    const length = Math.min(atOnce, from + count - start)
    await assign(
      url,
      uid,
      Array.from({ length }, (_, index) => `user:somebody-${start + index}`),
    )
  }
}

/** One task each; those of one name are made one by one, as a list names nobody twice. */
async function assign(url: string, uid: string, actors: readonly string[]): Promise<void> {
  const calls = new Set(actors).size === actors.length ? [actors] : actors.map((actor) => [actor])
  for (const named of calls) {
    const params = {
      'task name': 'Look at it',
      'due date': '2031-01-31',
      'additional list of actors prefixed ids': named.join(','),
    }
    const { status } = await callApi(url, 'POST', '/automation/Task.Create', { input: uid, params })
    if (status !== 200) throw new Error(`Task.Create was answered ${status}`)
  }
}

async function timeOfList(url: string): Promise<number> {
  const taken: number[] = []
  for (let look = 0; look < looks; look += 1) {
    const began = performance.now()
    const { body } = await callApi(url, 'GET', '/task?userId=Administrator&pageSize=20&currentPageIndex=0')
    taken.push(performance.now() - began)
    if (body.entries.length !== own || body.resultsCount !== own) throw new Error(`${body.resultsCount} tasks were listed`)
  }
  return taken.sort((one, other) => one - other)[looks / 10] ?? 0
}
