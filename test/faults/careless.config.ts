import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { definePlugin } from '../../src/plugin/define-plugin.ts'

const never = () => new Promise<never>(() => {})

/** What somebody forgot to listen to goes wrong, and what waits for it never ends. */
const mishaps: { readonly [name: string]: () => void } = {
  timer: () => void setTimeout(() => fail('timer'), 1),
  immediate: () => void setImmediate(() => fail('immediate')),
  promise: () => void Promise.reject(new Error('careless promise')),
  child: () => void spawn('/there/is/no/such/program'),
  socket: () => void connect(1, '127.0.0.1'),
  emitter: () => void setImmediate(() => new EventEmitter().emit('error', new Error('careless emitter'))),
  stream: () => void Readable.from([1]).destroy(new Error('careless stream')),
  microtask: () => queueMicrotask(() => fail('microtask')),
}

export const mishapNames = Object.keys(mishaps)

/** A server with an enricher for each mishap. */
export default {
  plugins: [
    definePlugin({
      name: 'carelessness',
      enrichers: Object.entries(mishaps).map(([name, happen]) => ({
        entityType: 'document',
        name,
        enrich() {
          happen()
          return never()
        },
      })),
    }),
  ],
}

function fail(where: string): never {
  throw new Error(`careless ${where}`)
}
