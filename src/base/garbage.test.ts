import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { collectAllGarbage, collectYoungGarbage } from './garbage.ts'

const collections = { young: collectYoungGarbage, all: collectAllGarbage }

describe('garbage', () => {
  for (const [name, collect] of Object.entries(collections)) {
    test(`is gone when it is collected (${name})`, async () => {
      // What is younger than this collection, and nothing that other tests have left, is the garbage of this one.
      collectAllGarbage()
      const before = process.memoryUsage().arrayBuffers
      for (let count = 0; count < 10; count++) Buffer.allocUnsafeSlow(1_000_000)
      const isFreed = () => process.memoryUsage().arrayBuffers - before < 5_000_000
      assert.ok(!isFreed())
      // Nothing on the stack holds the last one any more.
      await pause(1)
      collect()
      // Another thread gives the memory back.
      for (let waited = 0; waited < 100 && !isFreed(); waited++) await pause(20)
      assert.ok(isFreed())
    })
  }
})
