import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { onEachEngine } from '../../../test/support/engines.ts'
import { noProgress } from '../../../test/support/no-progress.ts'
import { aRepository } from '../../../test/support/rendering.ts'
import { defineProblem } from '../../base/problem.ts'
import type { JobProgress } from '../../core/jobs/worker.ts'
import type { Repository } from '../../core/session.ts'
import type { Services } from '../../rest/services.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { MaintenanceTask } from './maintenance-task.ts'
import { askFor, findRun, maintenanceJob, stop } from './task-runs.ts'

const name = 'count'
const tired = defineProblem('tired', 'conflict', (_: object) => 'It is tired.')

/** Counts to five, a step a turn. */
const counting: MaintenanceTask<{ readonly counted: readonly number[] }> = {
  name,
  begin: async () => ({ done: 0, total: 5, state: { counted: [] } }),
  async turn(_, { done, total, state }) {
    const next = { done: done + 1, total, state: { counted: [...state.counted, done + 1] } }
    return { ...next, isOver: next.done === total }
  },
  outcome: (state) => state,
}

onEachEngine('a task of maintenance', (engine) => {
  async function aServer() {
    const store = await engine.openStore()
    const repository: Repository = aRepository(store, { now: new Date().toISOString() })
    const services = { repositories: new Map([['default', repository]]) } as unknown as Services
    const due = async () => (await store.reader.jobs.list({ kind: 'maintenance' }, 5))[0]
    return {
      services,
      repository,
      find: () => findRun(services, name),
      /** Does what is due, as a process would that is killed before it can say so. */
      async turn(task: MaintenanceTask, { isKilled = false, signal = new AbortController().signal } = {}): Promise<boolean> {
        const job = await due()
        if (job === undefined) return false
        await maintenanceJob(services, [task])
          .run(job.payload, isKilled ? cutOff(repository) : repository, signal, noProgress)
          .catch(ifCutOff)
        if (!isKilled) await store.transact((tx) => tx.jobs.finish(job.id))
        return true
      },
    }
  }

  test('goes on where another process was killed, and no step is left out or counted twice', async () => {
    const { services, find, turn } = await aServer()
    await askFor(services, name, 'alice')
    for (let turns = 0; await turn(counting as MaintenanceTask, { isKilled: turns % 2 === 1 }); turns++) assert.ok(turns < 20)
    const { state, done, outcome, by } = (await find()) ?? assert.fail()
    assert.deepEqual([state, done, outcome, by], ['done', 5, { counted: [1, 2, 3, 4, 5] }, 'alice'])
  })

  test('ends after its turn when somebody stops it, and may be begun again', async () => {
    const { services, find, turn } = await aServer()
    await askFor(services, name, 'alice')
    await turn(counting as MaintenanceTask)
    await stop(services, name)
    assert.equal((await find())?.state, 'running')
    await turn(counting as MaintenanceTask)
    assert.deepEqual([(await find())?.state, (await find())?.outcome], ['stopped', { counted: [1] }])
    assert.equal(await turn(counting as MaintenanceTask), false)
    await askFor(services, name, 'bob')
    assert.deepEqual([(await find())?.state, (await find())?.by], ['waiting', 'bob'])
  })

  test('takes no turn again where the process was killed once that was written', async () => {
    const { services, repository } = await aServer()
    const { jobs } = repository.store.reader
    await askFor(services, name, 'alice')
    let [payload] = (await jobs.list({ kind: 'maintenance' }, 1)).map((job) => job.payload)
    const progress: JobProgress = {
      ...noProgress,
      async note(_, noted) {
        payload = noted
      },
    }
    const job = maintenanceJob(services, [counting as MaintenanceTask])
    for (let run = 0; run < 2; run++) await job.run(payload ?? null, repository, new AbortController().signal, progress)
    assert.equal(await jobs.count({ kind: 'maintenance' }), 2, 'the one that was killed, and what follows')
  })

  test('heeds a wish to stop that comes while the end of a turn is written', async () => {
    const { services, repository, find } = await aServer()
    const { store } = repository
    await askFor(services, name, 'alice')
    let stopping: Promise<void> | undefined
    const transact: Store['transact'] = (body, options) =>
      store.transact(async (tx) => {
        const find: typeof tx.transient.find = async (key, now) => {
          const found = await tx.transient.find(key, now)
          stopping ??= stop(services, name)
          await Promise.race([stopping, wait(300)])
          return found
        }
        return body({ ...tx, jobs: tx.jobs, transient: { ...tx.transient, find } } as Transaction)
      }, options)
    const [job] = await store.reader.jobs.list({ kind: 'maintenance' }, 1)
    const slow = { ...repository, store: { ...store, reader: store.reader, transact } }
    const { signal } = new AbortController()
    await maintenanceJob(services, [counting as MaintenanceTask]).run(job?.payload ?? null, slow, signal, noProgress)
    await stopping
    assert.equal((await find())?.stops, true)
  })

  test('is refused a second time while it is under way, and fails with a sentence', async () => {
    const { services, find, turn } = await aServer()
    await askFor(services, name, 'alice')
    await assert.rejects(askFor(services, name, 'bob'), /count is under way already/)
    await turn({ ...counting, turn: () => Promise.reject(tired({})) } as MaintenanceTask)
    assert.deepEqual([(await find())?.state, (await find())?.problem], ['failed', 'It is tired.'])
  })

  test('that takes long is watched and told to end in the middle of its turn, by somebody or by a server that stops', async () => {
    const { services, find, turn } = await aServer()
    const long: MaintenanceTask<{ readonly waited: boolean }> = {
      name,
      begin: async () => ({ done: 0, total: 0, state: { waited: false } }),
      async turn(_services, _progress, { signal, report }) {
        report(3, 7)
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return { done: 3, total: 7, state: { waited: true }, isOver: false }
      },
      outcome: (state) => state,
    }
    await askFor(services, name, 'alice')
    await turn(long as MaintenanceTask, { signal: AbortSignal.abort() })
    assert.deepEqual([(await find())?.state, (await find())?.outcome], ['running', { waited: true }])
    const turning = turn(long as MaintenanceTask)
    await stop(services, name)
    await turning
    assert.equal((await find())?.done, 3)
    await turn(long as MaintenanceTask)
    assert.equal((await find())?.state, 'stopped')
  })
})

/** A process that ends before it has written anything. */
function cutOff(repository: Repository): Repository {
  return {
    ...repository,
    store: { ...repository.store, reader: repository.store.reader, transact: () => Promise.reject(new Error('cut off')) },
  }
}

function ifCutOff(error: Error): void {
  if (error.message !== 'cut off') throw error
}
