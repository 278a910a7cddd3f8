import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filledPlace } from '../support/fresh-place.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'
import { idleFlags, openIdleListeners } from './idle-listeners.ts'

/** `npm run stress -- live-events` has a thousand, within the same bound. */
const count = 250
const mostMegabytes = 40

describe('many who listen', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    test(`and hear nothing cost little memory (${engine})`, { timeout: 120_000 }, async () => {
      const program = await startServerProgram(await filledPlace(engine), idleFlags)
      const { streams, measure } = await openIdleListeners(program, count).catch(async (error: unknown) => {
        await stopProgram(program)
        throw error
      })
      const megabytes = measure()
      assert.ok(megabytes < mostMegabytes, `${count} listeners cost ${megabytes.toFixed(1)} MB`)
      assert.equal(streams.filter(({ isClosed }) => isClosed).length, 0)
      assert.equal(await stopProgram(program), 0)
      await Promise.all(streams.map(({ closed }) => closed))
    })
  }
})
