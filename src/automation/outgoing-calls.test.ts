import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callsOut } from './expressions/functions.ts'
import { OutgoingCalls } from './outgoing-calls.ts'
import { madeBlob } from './values/flowing-blob.ts'

const answer = (text: string) => madeBlob(text, { name: text, mimeType: 'text/plain' })

describe('what other servers have answered to a call', () => {
  test('is asked anew as long as its steps run for the first time', () => {
    const calls = new OutgoingCalls()
    calls.note('a', answer('first'))
    assert.equal(calls.findAnswer('a'), undefined)
  })

  test('is given again, in order, when they run once more, and each time that the transaction does', () => {
    const calls = new OutgoingCalls()
    for (const [asked, said] of [
      ['a', 'first'],
      ['b', 'second'],
      ['a', 'third'],
    ] as const)
      calls.note(asked, answer(said))
    calls.repeat()
    for (let attempt = 0; attempt < 2; attempt += 1) {
      calls.rewind()
      const found = ['a', 'b', 'a', 'a'].map((asked) => calls.findAnswer(asked)?.blob.name)
      assert.deepEqual(found, ['first', 'second', 'third', undefined])
    }
  })

  test('is not given to who asks for something else', () => {
    const calls = new OutgoingCalls()
    calls.note('a', answer('first'))
    calls.repeat()
    calls.rewind()
    assert.equal(calls.findAnswer('b'), undefined)
    assert.equal(calls.findAnswer('a')?.blob.name, 'first')
  })
})

test('a step calls out where HTTP is a word of what it is told, wherever that stands', () => {
  assert.ok(callsOut({ given: ['expr:1', { deep: 'expr:HTTP.get("https://a.example")' }] }))
  assert.ok(!callsOut({ given: 'expr:httpHeader + "HTTPS"' }))
})
