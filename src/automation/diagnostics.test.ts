import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Traces } from './diagnostics.ts'
import type { Trace } from './kept-traces.ts'

const plain = (text: string | undefined) => text?.replaceAll(/after [\d.]+ ms/g, 'after 1 ms')

function recording() {
  const kept: Trace[] = []
  const traces = new Traces((trace) => void kept.push(trace))
  traces.isRecording = true
  return { kept, traces }
}

describe('traces', () => {
  test('are not kept while nothing is recorded', async () => {
    const { kept, traces } = recording()
    traces.isRecording = false
    await traces.record('a', async (trace) => assert.equal(trace, undefined))
    assert.deepEqual(kept, [])
  })

  test('tell what a call did, what is inside a step below it', async () => {
    const { kept, traces } = recording()
    await traces.record('chain', async (trace) => {
      const outer = trace?.enter('A', 'document', ['x', 'y'])
      const inner = trace?.enter('B', 'void', [])
      inner?.('gave', 'string')
      outer?.('gave', 'document')
    })
    assert.deepEqual(plain(kept[0]?.text)?.split('\n'), [
      'chain',
      '  A(x, y) on document',
      '    B() on void',
      '    gave string after 1 ms',
      '  gave document after 1 ms',
      'done after 1 ms',
    ])
    assert.deepEqual([kept.length, kept[0]?.id, kept[0]?.isFailure], [1, 'chain', false])
  })

  test('of a call that failed are failures, and the call fails as it would', async () => {
    const { kept, traces } = recording()
    await assert.rejects(
      traces.record('a', () => Promise.reject(new Error('refused'))),
      /refused/,
    )
    assert.equal(kept[0]?.isFailure, true)
    assert.match(kept[0]?.text ?? '', /^a\nfailed .*: Error: refused$/)
  })
})
