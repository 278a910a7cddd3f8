import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedRuns } from './shared-runs.ts'

function awaited() {
  const runs = createSharedRuns<string>()
  const made: PromiseWithResolvers<string>[] = []
  const signals: AbortSignal[] = []
  const make = (signal: AbortSignal) => {
    const one = Promise.withResolvers<string>()
    signal.addEventListener('abort', () => one.reject(new Error('given up')))
    made.push(one)
    signals.push(signal)
    return one.promise
  }
  return { made, signals, ask: (signal?: AbortSignal, key = 'a') => runs.run(key, make, signal) }
}

test('those who ask for the same at the same time get the same, and those who come later another', async () => {
  const { made, ask } = awaited()
  const all = [ask(), ask(new AbortController().signal), ask()]
  const other = ask(undefined, 'b')
  assert.equal(made.length, 2)
  made[0]?.resolve('first')
  made[1]?.resolve('other')
  assert.deepEqual([await Promise.all(all), await other], [['first', 'first', 'first'], 'other'])
  const later = ask()
  made[2]?.resolve('second')
  assert.equal(await later, 'second')
})

test('one who goes leaves it to the others, and the last one ends it', async () => {
  const { made, signals, ask } = awaited()
  const [first, second] = [new AbortController(), new AbortController()]
  const [one, two] = [ask(first.signal), ask(second.signal)]
  first.abort(new Error('gone'))
  await assert.rejects(one, /gone/)
  assert.equal(signals[0]?.aborted, false)
  second.abort(new Error('gone too'))
  await assert.rejects(two, /gone too/)
  assert.equal(signals[0]?.aborted, true)
  const next = ask()
  assert.equal(made.length, 2)
  made[1]?.resolve('anew')
  assert.equal(await next, 'anew')
})

test('what fails fails for all, and is tried again', async () => {
  const { made, ask } = awaited()
  const both = [ask(), ask()]
  made[0]?.reject(new Error('broken'))
  for (const one of both) await assert.rejects(one, /broken/)
  const again = ask()
  made[1]?.resolve('mended')
  assert.equal(await again, 'mended')
})
