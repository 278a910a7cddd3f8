import { setTimeout as pause } from 'node:timers/promises'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { callApi } from '../support/call-api.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { stressByRounds } from './kill-rounds.ts'

/** The daily cleanup is due at the first start, and a killed server leaves it to the next: it removes what the rounds look for. */
const keepingAll = ['--workflow-cleanup-disabled']

const clients = 20

/** What clients were told before the server was killed. */
interface CompletionJournal {
  readonly completed: Set<string>
  readonly workflows: Set<string>
}

/** Kills a server while tasks are completed: what it acknowledged is there, each once, and no workflow is stuck. */
export function stressWorkflowsByKilling(engine: EngineName, rounds: number, seed: number): Promise<boolean> {
  return stressByRounds({ name: 'workflow-kill', engine, rounds, seed }, async (place, random) => {
    const { broken, acknowledged } = await killWhileCompleting(place, random)
    return { victim: 'server', done: `${acknowledged} completions acknowledged`, broken }
  })
}

export async function killWhileCompleting(place: DatabasePlace, random: Random = createRandom(1)) {
  const journal: CompletionJournal = { completed: new Set(), workflows: new Set() }
  const over = new AbortController()
  const program = await startServerProgram(place, keepingAll)
  try {
    const working = Promise.all(Array.from({ length: clients }, () => workUntilCutOff(program.url, journal)))
    const wanted = random.between(20, 80)
    await Promise.race([working, reached(journal, wanted, over.signal)])
    program.kill('SIGKILL')
    await working
  } finally {
    over.abort()
    program.kill('SIGKILL')
    await program.ended
  }
  return { broken: await findBroken(place, journal), acknowledged: journal.completed.size }
}

async function reached({ completed }: CompletionJournal, wanted: number, over: AbortSignal): Promise<void> {
  while (completed.size < wanted && !over.aborted) await pause(2)
}

/** A client that reviews one document after the other, alone. */
async function workUntilCutOff(url: string, journal: CompletionJournal): Promise<void> {
  try {
    for (;;) await reviewOnce(url, journal)
  } catch (error) {
    // The connection broke: what was under way may be done or not.
    if (error instanceof TypeError || error instanceof SyntaxError) return
    throw error
  }
}

async function reviewOnce(url: string, { completed, workflows }: CompletionJournal): Promise<void> {
  const started = await callApi(url, 'POST', '/workflow', {
    'entity-type': 'workflow',
    workflowModelName: 'SerialDocumentReview',
  })
  if (isBusy(started.status)) return
  if (started.status !== 201) throw new Error(`A start was answered ${started.status}`)
  const { id } = started.body
  workflows.add(id)
  const actions = [
    ['start_review', { participants: ['Administrator', 'Administrator'] }],
    ['validate', {}],
    ['validate', {}],
  ] as const
  for (const [action, variables] of actions) {
    const [task] = (await callApi(url, 'GET', `/task?workflowInstanceId=${id}`)).body.entries
    const { status } = await callApi(url, 'PUT', `/task/${task.id}/${action}`, { 'entity-type': 'task', variables })
    if (isBusy(status)) return
    if (status !== 200) throw new Error(`${action} was answered ${status}`)
    completed.add(task.id)
  }
}

/** Too many wanted the same at once, on a busy machine, or to know who asks took too long: nothing was done, and nothing was promised. */
function isBusy(status: number): boolean {
  return status === 503 || status === 504
}

async function findBroken(place: DatabasePlace, { completed, workflows }: CompletionJournal): Promise<readonly string[]> {
  const program = await startServerProgram(place, keepingAll)
  const broken: string[] = []
  try {
    const { url } = program
    for (const id of completed) {
      const { status, body } = await callApi(url, 'GET', `/task/${id}`)
      if (status !== 200 || body.state !== 'ended')
        broken.push(`the completion of ${id} was acknowledged; it is ${body?.state ?? status}`)
      else if (new Set(body.comments).size > 1) broken.push(`${id} was completed more than once`)
    }
    for (const id of workflows) {
      const { body } = await callApi(url, 'GET', `/workflow/${id}`)
      const open = (await callApi(url, 'GET', `/task?workflowInstanceId=${id}`)).body.entries.length
      if (open !== (body.state === 'done' ? 0 : 1)) broken.push(`the workflow ${id} is ${body.state} and has ${open} open tasks`)
    }
  } finally {
    await stopProgram(program)
  }
  return broken
}
