import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { collectAllGarbage, collectYoungGarbage } from './garbage.ts'

const collections = { young: collectYoungGarbage, all: collectAllGarbage }

describe('garbage', () => {
  // What is younger than the last collection, and nothing that other tests have left, is the garbage of these tests.
  before(() => collectAllGarbage())

  for (const [name, collect] of Object.entries(collections)) {
    test(`is gone when it is collected (${name})`, async () => {
      const before = process.memoryUsage().arrayBuffers
      for (let count = 0; count < 10; count++) Buffer.allocUnsafeSlow(1_000_000)
      assert.ok(process.memoryUsage().arrayBuffers - before > 5_000_000)
      // Nothing on the stack holds the last one any more.
      await yieldToEventLoop()
      collect()
      assert.ok(process.memoryUsage().arrayBuffers - before < 5_000_000)
    })
  }
})
