import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { endWithStarter, stopSignal, watchStopSignal } from './stop-signal.ts'

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} asks to stop, and a second one finds a listener still, so that it does not end the process`, async () => {
    const source = new EventEmitter()
    const stop = stopSignal(source)
    assert.equal(source.emit(signal), true)
    await stop
    assert.equal(source.emit(signal), true)
  })
}

test('work that is watched over learns of a signal, and leaves later ones to others', () => {
  const source = new EventEmitter()
  const watched = watchStopSignal(source)
  assert.equal(watched.isStopped(), false)
  source.emit('SIGINT')
  assert.equal(watched.isStopped(), true)
  watched.end()
  assert.equal(source.emit('SIGINT'), false)
})

test('work for another process ends with it, until it is done; work for nobody else does not', () => {
  const codes: number[] = []
  const startedBy = (more: object) =>
    Object.assign(new EventEmitter(), { exit: (code: number) => void codes.push(code), ...more }) as unknown as NodeJS.Process
  const apart = startedBy({})
  endWithStarter(apart)()
  apart.emit('disconnect')
  const done = startedBy({ send: () => true, connected: true })
  endWithStarter(done)()
  done.emit('disconnect')
  assert.deepEqual(codes, [])
  const cut = startedBy({ send: () => true, connected: true })
  endWithStarter(cut)
  cut.emit('disconnect')
  endWithStarter(startedBy({ send: () => true, connected: false }))
  assert.deepEqual(codes, [1, 1])
})
