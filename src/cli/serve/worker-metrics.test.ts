import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { counterOf, figureOf, type MetricFamily, Metrics } from '../../base/metrics.ts'
import { createMetricsDesk, createMetricsExchange } from './worker-metrics.ts'

/** A desk with workers whose messages take a round of the event loop, as between processes. */
function aDesk(patience?: number) {
  const desk = createMetricsDesk(patience)
  return {
    worker() {
      const ends = { here: new EventEmitter(), there: new EventEmitter(), connected: true, isBusy: false }
      desk.serve({
        on: (event: string, listener: (message: { kind: string }) => void) => ends.there.on(event, listener),
        send: (notice: object) => void setImmediate(() => ends.connected && !ends.isBusy && ends.here.emit('message', notice)),
      } as unknown as Parameters<typeof desk.serve>[0])
      const channel = {
        on: (event: string, listener: (message: unknown) => void) => ends.here.on(event, listener),
        get connected() {
          return ends.connected
        },
        send: (request: object) => void setImmediate(() => ends.connected && ends.there.emit('message', request)),
      } as unknown as Parameters<typeof createMetricsExchange>[0]
      const metrics = new Metrics(createMetricsExchange(channel))
      const figures = { requests: 0 }
      metrics.add(() => [counterOf('requests', 'help', [figureOf(figures.requests)])])
      return {
        figures,
        ends,
        ask: () => metrics.collectAll(),
        die() {
          ends.connected = false
          ends.there.emit('exit', null)
        },
      }
    },
  }
}

const sumOf = (processes: readonly (readonly MetricFamily[])[], name: string) =>
  processes
    .flat()
    .filter((family) => family.name === name)
    .flatMap(({ values }) => values)
    .reduce((sum, { value }) => sum + value, 0)

describe('the figures of a server', () => {
  test('are those of all its processes, whichever is asked', async () => {
    const desk = aDesk()
    const workers = [desk.worker(), desk.worker(), desk.worker()]
    for (const [index, { figures }] of workers.entries()) figures.requests = 10 ** index
    for (const { ask } of workers) {
      const told = await ask()
      assert.equal(sumOf(told, 'requests'), 111)
      assert.deepEqual([sumOf(told, 'quire_workers'), sumOf(told, 'quire_workers_late')], [3, 0])
    }
  })

  test('do not sink when a process ends and another takes its place', async () => {
    const desk = aDesk()
    const [first, second] = [desk.worker(), desk.worker()]
    first.figures.requests = 5
    second.figures.requests = 7
    assert.equal(sumOf(await first.ask(), 'requests'), 12)
    second.die()
    const third = desk.worker()
    third.figures.requests = 1
    const told = await first.ask()
    assert.equal(sumOf(told, 'requests'), 13)
    assert.deepEqual([sumOf(told, 'quire_workers'), sumOf(told, 'quire_worker_ends_total')], [2, 1])
    third.die()
    assert.equal(sumOf(await first.ask(), 'requests'), 13)
  })

  test('have the last that a process told which is too busy now', async () => {
    const desk = aDesk(1)
    const [first, second] = [desk.worker(), desk.worker()]
    second.figures.requests = 7
    const patient = aDesk()
    assert.equal(sumOf(await patient.worker().ask(), 'requests'), 0)
    while (sumOf(await first.ask(), 'requests') !== 7);
    second.ends.isBusy = true
    second.figures.requests = 9
    const told = await first.ask()
    assert.deepEqual([sumOf(told, 'requests'), sumOf(told, 'quire_workers_late')], [7, 1])
  })

  test('do not wait for one that ends meanwhile', async () => {
    const desk = aDesk(1_000_000)
    const [first, second] = [desk.worker(), desk.worker()]
    second.ends.isBusy = true
    const asking = first.ask()
    setImmediate(() => setImmediate(() => second.die()))
    assert.equal(sumOf(await asking, 'quire_workers'), 1)
  })

  test('are those of the process itself when nobody watches over it any more', async () => {
    const worker = aDesk().worker()
    worker.figures.requests = 3
    worker.ends.connected = false
    assert.equal(sumOf(await worker.ask(), 'requests'), 3)
  })
})
