import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { stopSignal } from './stop-signal.ts'

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} asks to stop, and a second one finds a listener still, so that it does not end the process`, async () => {
    const source = new EventEmitter()
    const stop = stopSignal(source)
    assert.equal(source.emit(signal), true)
    await stop
    assert.equal(source.emit(signal), true)
  })
}
