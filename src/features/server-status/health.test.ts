import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { silentLog } from '../../base/log.ts'
import type { Services } from '../../rest/services.ts'
import { isHealthy, runProbes } from './health.ts'

function servicesThat(answers: () => Promise<unknown>): Services {
  const transient = { find: async () => 'owner' }
  const store = { reader: { documents: { findByPath: answers }, transient }, check: async () => {}, findFlaw: () => undefined }
  const blobs = { findOwner: async () => 'owner', now: async () => new Date(), listFlaws: async () => [] }
  const repository = { store, blobs, now: () => '2031-01-01T00:00:00.000Z' }
  return { log: silentLog, probes: [], repositories: new Map([['default', repository]]) } as unknown as Services
}

test('the health is measured anew in its time when the clock was set back', async () => {
  let root: object | undefined = {}
  const services = servicesThat(async () => root)
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2031-01-02') })
  try {
    assert.equal(isHealthy(await runProbes(services, 20)), true)
    root = undefined
    mock.timers.setTime(Date.parse('2031-01-01'))
    await pause(40)
    assert.equal(isHealthy(await runProbes(services, 20)), false)
  } finally {
    mock.timers.reset()
  }
})

test('a server that was well is well while it is too busy to find out anew, and no longer when it has found out', async () => {
  const answers: PromiseWithResolvers<object | undefined>[] = []
  const services = servicesThat(() => {
    answers.push(Promise.withResolvers())
    return (answers.at(-1) as PromiseWithResolvers<object | undefined>).promise
  })
  const first = runProbes(services, 0)
  await pause(1_200)
  answers[0]?.resolve({})
  assert.equal(isHealthy(await first), true)
  const started = performance.now()
  assert.equal(isHealthy(await runProbes(services, 0)), true)
  assert.ok(performance.now() - started < 3_000)
  assert.equal(answers.length, 2)
  answers[1]?.resolve(undefined)
  await pause(10)
  const next = runProbes(services, 0)
  await pause(1_200)
  answers.at(-1)?.resolve(undefined)
  assert.equal(isHealthy(await next), false)
})
