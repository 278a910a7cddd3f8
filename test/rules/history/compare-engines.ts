import assert from 'node:assert/strict'
import fc from 'fast-check'
import { replay, type Stage } from './replay.ts'
import { aHistory } from './step.ts'

const maxSteps = 40

/** On every stage nothing ever contradicts anything else, and all of them come to the same end. */
export function enginesAgree(stages: readonly Stage[]): ReturnType<typeof fc.asyncProperty> {
  let runs = 0
  return fc.asyncProperty(aHistory(maxSteps), async (history) => {
    const name = `run-${++runs}`
    const [first, ...others] = await Promise.all(stages.map((stage) => replay(stage, name, history)))
    for (const other of others) assert.deepEqual(other, first)
  })
}
