import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { createConnectionDesk, createSiblings, type MoveChannel } from './moved-connections.ts'

/** A connection whose handle tells what was done to it. */
function aConnection() {
  const done: string[] = []
  const handle = { readStop: () => done.push('readStop'), close: () => done.push('close') }
  return { socket: Object.assign(new Socket(), { _handle: handle }), done }
}

/** A desk with workers whose messages arrive at once. */
function aDesk() {
  const desk = createConnectionDesk()
  return {
    worker({ isDeaf = false } = {}) {
      const here = new EventEmitter()
      const there = new EventEmitter()
      desk.serve({
        on: (event: string, listener: (request: { kind: string }, socket?: unknown) => void) => there.on(event, listener),
        send: (notice, socket) => isDeaf || here.emit('message', notice, socket),
      })
      const channel: MoveChannel = {
        on: (event, listener) => here.on(event, listener),
        send: (request, socket) => there.emit('message', request, socket),
      }
      const siblings = createSiblings(channel, () => false)
      const taken: Socket[] = []
      return {
        ...siblings,
        taken,
        join: () => siblings.join((socket) => taken.push(socket)),
        die: () => there.emit('exit'),
      }
    },
  }
}

describe('the workers of a server', () => {
  test('write in the one that joined first, and in the next when that is gone', () => {
    const desk = aDesk()
    const [first, second, third] = [desk.worker(), desk.worker(), desk.worker()]
    first.join()
    assert.equal(first.isWriter(), undefined)
    second.join()
    third.join()
    assert.deepEqual([first.isWriter(), second.isWriter(), third.isWriter()], [true, false, false])
    first.die()
    assert.deepEqual([second.isWriter(), third.isWriter()], [true, false])
    third.leave()
    assert.deepEqual([second.isWriter(), third.isWriter()], [undefined, undefined])
  })

  test('send connections to the one that writes, which deals out those that it sends away', () => {
    const desk = aDesk()
    const [first, second, third] = [desk.worker(), desk.worker(), desk.worker()]
    for (const worker of [first, second, third]) worker.join()
    const [one, two, three] = [aConnection(), aConnection(), aConnection()]
    second.move(one.socket)
    assert.deepEqual(first.taken, [one.socket])
    first.move(two.socket)
    first.move(three.socket)
    assert.deepEqual([second.taken, third.taken], [[two.socket], [three.socket]])
    // Nothing of what clients send is read on the way.
    assert.deepEqual([one.done, two.done, three.done], [['readStop'], ['readStop'], ['readStop']])
  })

  test('get a connection back that has nowhere to go', () => {
    const desk = aDesk()
    const [first, second] = [desk.worker(), desk.worker()]
    first.join()
    second.join()
    const { socket } = aConnection()
    first.die()
    second.move(socket)
    assert.deepEqual(second.taken, [socket])
  })

  test('have their clients hear of connections that were on the way to one that died', () => {
    const desk = aDesk()
    const [deaf, other] = [desk.worker({ isDeaf: true }), desk.worker()]
    deaf.join()
    other.join()
    const { socket, done } = aConnection()
    other.move(socket)
    assert.deepEqual(done, ['readStop'])
    deaf.die()
    assert.deepEqual(done, ['readStop', 'close'])
  })

  test('send no more to one that takes none', () => {
    const desk = aDesk()
    const [deaf, other] = [desk.worker({ isDeaf: true }), desk.worker()]
    deaf.join()
    other.join()
    for (let index = 0; index < 14; index++) other.move(aConnection().socket)
    assert.equal(other.taken.length, 6)
  })

  test('close what still comes when they have left, and leave alone what they took before', () => {
    const desk = aDesk()
    const [first, second] = [desk.worker(), desk.worker()]
    first.join()
    second.join()
    const [before, after] = [aConnection(), aConnection()]
    second.move(before.socket)
    first.leave()
    assert.deepEqual(before.done, ['readStop'])
    second.move(after.socket)
    assert.deepEqual([first.taken, second.taken], [[before.socket], [after.socket]])
  })
})
