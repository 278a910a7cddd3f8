import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { filledPlace } from '../support/fresh-place.ts'
import { childrenOf } from '../support/process-family.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

describe('the figures of a server of two processes', () => {
  test('do not sink when one of them is killed, and say so', async () => {
    const place = await filledPlace('sqlite')
    const program = await startServerProgram(place, ['--workers', '2', '--metrics-loopback'])
    const patience = AbortSignal.timeout(120_000)
    const ask = async (path: string) => {
      // A connection of its own each time, so that both processes are asked.
      const answer = await fetch(new URL(path, program.url), { headers: { connection: 'close' } }).catch(() => undefined)
      return answer?.status === 200 ? answer.text() : ''
    }
    const figures = async () => {
      const text = await ask('metrics')
      const find = (row: string) => Number(new RegExp(`^${row} (\\d+)$`, 'm').exec(text)?.[1] ?? -1)
      return {
        answered: find('quire_http_requests_total\\{method="GET",route="/health/live",status="200"\\}'),
        workers: find('quire_workers'),
        ends: find('quire_worker_ends_total'),
      }
    }
    const until = async (condition: (now: Awaited<ReturnType<typeof figures>>) => boolean) => {
      for (;;) {
        const now = await figures()
        if (condition(now)) return now
        await pause(50, undefined, { signal: patience })
      }
    }
    try {
      for (let round = 0; round < 40; round++) assert.notEqual(await ask('health/live'), '')
      await until(({ answered, workers, ends }) => answered === 40 && workers === 2 && ends === 0)
      const [victim] = childrenOf(program.startedId)
      process.kill(victim ?? 0, 'SIGKILL')
      const { answered } = await until(({ workers, ends }) => workers === 2 && ends === 1)
      assert.equal(answered, 40)
    } finally {
      assert.equal(await stopProgram(program), 0)
    }
  })
})
