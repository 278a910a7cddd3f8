import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinIndexing } from '../../../test/support/builtin-indexing.ts'
import { silentLog } from '../../base/log.ts'
import { databaseLocked, storageConflict } from '../problems.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { createJobSignal } from './jobs/job-signal.ts'
import { type OpenTransaction, type TransactionSource, transact } from './transact.ts'

class Conflict extends Error {}

/** An engine whose statements do what the test says and that notes how its transactions end. */
function anEngine(statement: () => Promise<number> = async () => 1, commit: () => Promise<void> = async () => {}) {
  const ends: string[] = []
  const open: OpenTransaction = {
    async all() {
      await statement()
      return []
    },
    get: async () => undefined,
    run: statement,
    async runLater() {
      await statement()
    },
    send: statement,
    mark: () => () => {},
    lock: async () => [],
    searching: { all: async () => [], get: async () => undefined, run: statement, timeLimitMilliseconds: 1_000 },
    async commit() {
      await commit()
      ends.push('commit')
    },
    async rollback() {
      ends.push('rollback')
    },
  }
  const source: TransactionSource = {
    dialect: sqliteDialect,
    repository: 'default',
    indexing: builtinIndexing,
    log: silentLog,
    jobSignal: createJobSignal(),
    tally: { committed: 0, failed: 0, repeated: 0 },
    begin: async () => open,
    isConflict: (error) => error instanceof Conflict,
  }
  return { source, ends }
}

function failing(times: number, error: Error): () => Promise<number> {
  let left = times
  return async () => {
    left -= 1
    if (left >= 0) throw error
    return 1
  }
}

describe('running a transaction again', () => {
  test('happens when a statement met a conflict, until it goes through', async () => {
    const { source, ends } = anEngine(failing(2, new Conflict()))
    let runs = 0
    await transact(source, async (tx) => {
      runs += 1
      await tx.documents.remove('id')
    })
    assert.equal(runs, 3)
    assert.deepEqual(ends, ['rollback', 'rollback', 'commit'])
    assert.deepEqual(source.tally, { committed: 1, failed: 0, repeated: 2 })
  })

  test('happens for as many lock waits as patience has, however long each of them took', async (context) => {
    context.mock.method(performance, 'now', () => {
      clock += 60_000
      return clock
    })
    let clock = 0
    const waiting = (times: number) => {
      const { source, ends } = anEngine(failing(times, new Conflict()))
      return { source: { ...source, isLockTimeout: () => true }, ends }
    }
    const patient = waiting(24)
    await transact(patient.source, (tx) => tx.documents.remove('id'))
    assert.equal(patient.ends.at(-1), 'commit')
    const stuck = waiting(100)
    await assert.rejects(
      transact(stuck.source, (tx) => tx.documents.remove('id')),
      databaseLocked.is,
    )
    assert.equal(stuck.ends.length, 25)
  })

  test('happens also when the body made another error of it', async () => {
    const { source, ends } = anEngine(failing(1, new Conflict()))
    await transact(source, async (tx) => {
      await tx.documents.remove('id').catch((cause) => {
        throw new Error('dressed', { cause })
      })
    })
    assert.deepEqual(ends, ['rollback', 'commit'])
  })

  test('happens when the commit met one, and what was to come after it comes once', async () => {
    const commit = failing(1, new Conflict())
    const { source, ends } = anEngine(undefined, async () => void (await commit()))
    let after = 0
    await transact(source, async (tx) =>
      tx.afterCommit(() => {
        after += 1
      }),
    )
    assert.deepEqual(ends, ['rollback', 'commit'])
    assert.equal(after, 1)
  })

  test('ends in a problem that names the conflict when it persists', async () => {
    const conflict = new Conflict()
    const { source, ends } = anEngine(failing(1_000, conflict))
    await assert.rejects(
      transact(source, (tx) => tx.documents.remove('id')),
      (error) => storageConflict.is(error) && error.cause === conflict,
    )
    assert.equal(ends.includes('commit'), false)
  })

  test('does not happen for any other error', async () => {
    const failure = new Error('constraint')
    const { source, ends } = anEngine(failing(1, failure))
    await assert.rejects(
      transact(source, (tx) => tx.documents.remove('id')),
      failure,
    )
    assert.deepEqual(ends, ['rollback'])
  })

  test('does not happen when a part of it cannot be undone: nothing more is written, and nothing is kept', async () => {
    const refusal = new Error('refused')
    let statements = 0
    // The first one begins the attempt, the second is to undo it.
    const { source, ends } = anEngine(async () => {
      statements += 1
      if (statements === 2) throw new Error('the engine has rolled back everything')
      return 1
    })
    const running = transact(source, async (tx) => {
      const attempted = tx.attempt(async () => {
        throw refusal
      })
      await attempted.catch(() => undefined)
      await assert.rejects(tx.documents.remove('id'), /after the end/)
    })
    await assert.rejects(running, refusal)
    assert.equal(statements, 2)
    assert.deepEqual(ends, ['rollback'])
  })
})
