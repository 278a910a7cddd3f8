import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Traces } from './diagnostics.ts'

const plain = (text: string | undefined) => text?.replaceAll(/after [\d.]+ ms/g, 'after 1 ms')

describe('traces', () => {
  test('are not stored while nothing is recorded', async () => {
    const traces = new Traces()
    await traces.record('a', async (trace) => assert.equal(trace, undefined))
    assert.equal(traces.find('a', -1), undefined)
  })

  test('tell what a call did, what is inside a step below it', async () => {
    const traces = new Traces()
    traces.isRecording = true
    await traces.record('chain', async (trace) => {
      const outer = trace?.enter('A', 'document', ['x', 'y'])
      const inner = trace?.enter('B', 'void', [])
      inner?.('gave', 'string')
      outer?.('gave', 'document')
    })
    assert.deepEqual(plain(traces.find('chain', -1))?.split('\n'), [
      'chain',
      '  A(x, y) on document',
      '    B() on void',
      '    gave string after 1 ms',
      '  gave document after 1 ms',
      'done after 1 ms',
    ])
  })

  test('of a call that failed are the last failure, too', async () => {
    const traces = new Traces()
    traces.isRecording = true
    await assert.rejects(
      traces.record('a', () => Promise.reject(new Error('refused'))),
      /refused/,
    )
    await traces.record('b', async () => undefined)
    assert.match(traces.findLastFailure() ?? '', /^a\nfailed .*: Error: refused$/)
    assert.equal(traces.find('a', 0), traces.findLastFailure())
  })

  test('are kept of so many calls and no more', async () => {
    const traces = new Traces()
    traces.isRecording = true
    for (let call = 0; call < 30; call += 1) await traces.record('a', async (trace) => trace?.note(`call ${call}`))
    assert.match(traces.find('a', 0) ?? '', /call 10$/m)
    for (let id = 0; id < 200; id += 1) await traces.record(`other ${id}`, async () => undefined)
    assert.equal(traces.find('a', -1), undefined)
    assert.ok(traces.find('other 0', -1))
  })
})
