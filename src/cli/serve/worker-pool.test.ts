import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { silentLog } from '../../base/log.ts'
import { exitCodes } from '../../command/command.ts'
import { createWorkerPool, restartDelayMs, type WorkerReport, workerFailed } from './worker-pool.ts'

/** Ends with code 0 when it is asked to stop, and does nothing else by itself. */
class FakeWorker extends EventEmitter {
  readonly signals: string[] = []
  readonly process = {
    pid: 1 as number | undefined,
    kill: (signal: string) => {
      this.signals.push(signal)
      this.emit('exit', 0)
    },
  }

  says(report: WorkerReport): void {
    this.emit('message', report)
  }
}

function aPool() {
  const workers: FakeWorker[] = []
  const pauses: number[] = []
  const clock = { now: 0 }
  let refusals = 0
  const pool = createWorkerPool({
    fork: () => {
      if (refusals-- > 0) throw new Error('ENOMEM')
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    openLog: async () => silentLog,
    now: () => clock.now,
    pause: async (milliseconds) => pauses.push(milliseconds),
  })
  const refuse = (times: number) => {
    refusals = times
  }
  return { pool, workers, pauses, clock, refuse }
}

const facts = {
  version: '1.2.3',
  url: 'http://127.0.0.1:81/',
  database: 'SQLite',
  files: 'blobs',
  workers: 1,
  administratorPassword: 'chosen',
} as const
const listening = { kind: 'listening', port: 81, facts, lines: 'It listens.' } as const

/** Whose first worker has read the settings. */
async function aStartingPool(workers: number) {
  const parts = aPool()
  const started = parts.pool.start()
  started.catch(() => {}) // some end it before it has started
  parts.workers[0]?.says({ kind: 'settings', workers, logLevel: 'info' })
  await settled()
  return { ...parts, started }
}

async function aStartedPool(workers: number) {
  const parts = await aStartingPool(workers)
  for (const worker of parts.workers) worker.says(listening)
  await parts.started
  return parts
}

describe('a pool of workers', () => {
  test('forks one at once, and the others when that one has read how many there are to be', async () => {
    const { pool, workers } = aPool()
    pool.start()
    assert.equal(workers.length, 1)
    await settled()
    assert.equal(workers.length, 1)
    workers[0]?.says({ kind: 'settings', workers: 3, logLevel: 'info' })
    await settled()
    assert.equal(workers.length, 3)
  })

  test('has started when the last of them listens', async () => {
    const { started, workers } = await aStartingPool(2)
    let isStarted = false
    started.finally(() => {
      isStarted = true
    })
    workers[0]?.says(listening)
    await settled()
    assert.equal(isStarted, false)
    workers[1]?.says(listening)
    assert.deepEqual((await started).listening, listening)
  })

  test('does not start when the settings are wrong, and tells the reason of the first worker', async () => {
    const { pool, workers } = aPool()
    const started = pool.start()
    workers[0]?.says({ kind: 'failed', line: 'there is no setting --prot', code: exitCodes.usage })
    workers[0]?.emit('exit', 2)
    await assert.rejects(started, (error: Error) => workerFailed.is(error) && error.details.code === exitCodes.usage)
    assert.equal(workers.length, 1)
  })

  test('does not start when one cannot, tells its reason and stops the others', async () => {
    const { started, workers } = await aStartingPool(2)
    workers[0]?.says({ kind: 'failed', line: 'the port is taken', code: exitCodes.failed })
    workers[0]?.emit('exit', 1)
    await assert.rejects(started, (error: Error) => workerFailed.is(error) && error.message === 'the port is taken')
    assert.deepEqual(workers[1]?.signals, ['SIGTERM'])
    assert.equal(workers.length, 2)
  })

  test('takes a worker for well that the signal ended before it listened, and no other', async () => {
    for (const [isListening, isWell] of [
      [false, true],
      [true, false],
    ] as const) {
      const { pool, workers } = isListening ? await aStartedPool(1) : await aStartingPool(1)
      const [first] = workers
      if (first !== undefined) first.process.kill = (signal) => first.emit('exit', null, signal)
      assert.equal(await pool.stop(), isWell)
    }
  })

  test('replaces one that dies', async () => {
    const { workers } = await aStartedPool(2)
    workers[0]?.emit('exit', 7)
    await settled()
    assert.equal(workers.length, 3)
  })

  test('replaces the only one there is', async () => {
    const { workers } = await aStartedPool(1)
    workers[0]?.emit('exit', null, 'SIGABRT')
    await settled()
    assert.equal(workers.length, 2)
  })

  test('tries again when the system does not let it start one', async () => {
    const { workers, refuse } = await aStartedPool(1)
    refuse(2)
    workers[0]?.emit('exit', 1)
    for (let turn = 0; turn < 5; turn++) await settled()
    assert.equal(workers.length, 2)
  })

  test('takes one that could not be started for one that has ended', async () => {
    const { workers } = await aStartedPool(1)
    workers[0]?.emit('exit', 1)
    await settled()
    const second = workers[1] as FakeWorker
    second.process.pid = undefined
    second.emit('error', new Error('EAGAIN'))
    await settled()
    assert.equal(workers.length, 3)
  })

  test('outlives an error of a worker that goes on', async () => {
    const { workers } = await aStartedPool(1)
    workers[0]?.emit('error', new Error('EPIPE'))
    await settled()
    assert.equal(workers.length, 1)
  })

  test('kills one that listens and has said nothing for five minutes, and no other', async () => {
    const { pool, workers } = await aStartedPool(2)
    for (let look = 0; look < 61; look++) {
      assert.deepEqual(workers[1]?.signals, [])
      workers[0]?.says({ kind: 'alive' })
      pool.endSilent()
    }
    assert.deepEqual([workers[0]?.signals, workers[1]?.signals], [[], ['SIGKILL']])
  })

  test('waits ever longer while they die young, and begins anew after a long life', async () => {
    const { workers, pauses, clock } = await aStartedPool(1)
    for (const lifeMs of [10, 10, 10, 120_000, 10]) {
      clock.now += lifeMs
      workers.at(-1)?.emit('exit', 1)
      await settled()
    }
    assert.deepEqual(pauses, [100, 200, 400, 100, 200])
  })

  test('asks every one to stop, and replaces none of them', async () => {
    const { pool, workers } = await aStartedPool(3)
    assert.equal(await pool.stop(), true)
    await settled()
    assert.deepEqual(
      workers.map((worker) => worker.signals),
      [['SIGTERM'], ['SIGTERM'], ['SIGTERM']],
    )
  })

  test('tells when one did not stop well', async () => {
    const { pool, workers } = await aStartedPool(2)
    const [first] = workers
    if (first !== undefined) first.process.kill = () => first.emit('exit', 1)
    assert.equal(await pool.stop(), false)
  })
})

test('no worker waits longer than half a minute to be restarted', () => assert.equal(restartDelayMs(50), 30_000))
