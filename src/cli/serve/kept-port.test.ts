import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { keepPort } from './kept-port.ts'

class FakeWorker extends EventEmitter {
  readonly asked: number | undefined
  readonly signals: string[] = []
  readonly process = { kill: (signal: string) => this.signals.push(signal) }

  constructor(asked: number | undefined) {
    super()
    this.asked = asked
  }

  listensOn(port: number): this {
    this.emit('message', { kind: 'listening', port })
    return this
  }
}

function aPort() {
  return keepPort((port) => new FakeWorker(port))
}

describe('the port of the first workers', () => {
  test('is asked for as they did while one of them is left', () => {
    const port = aPort()
    const [first, second] = [port.fork().listensOn(81), port.fork().listensOn(81)]
    first.emit('exit')
    const third = port.fork().listensOn(81)
    second.emit('exit')
    assert.deepEqual([first.asked, second.asked, third.asked, port.fork().asked], [undefined, undefined, undefined, undefined])
  })

  test('is asked for by number when none is left, by those who follow too', () => {
    const port = aPort()
    port.fork().listensOn(81).emit('exit')
    const second = port.fork().listensOn(81)
    assert.deepEqual([second.asked, port.fork().listensOn(81).asked], [81, 81])
    assert.deepEqual(second.signals, [])
  })

  test('is missed by one whose fellows end while it is on its way: it is ended', () => {
    const port = aPort()
    const first = port.fork().listensOn(81)
    const late = port.fork()
    first.emit('exit')
    late.listensOn(82)
    assert.deepEqual([late.asked, late.signals], [undefined, ['SIGKILL']])
    assert.equal(port.fork().asked, 81)
  })
})
