import { setTimeout as wait } from 'node:timers/promises'
import type { TestServer } from '../../src/testing.ts'

/** Resolves once the server has done all work that was left for after the answers. */
export async function untilIdle(server: TestServer, repository = 'default'): Promise<void> {
  const running = server.services.repositories.get(repository)
  if (running === undefined) throw new Error(`There is no repository ${repository}.`)
  const patience = AbortSignal.timeout(120_000)
  while ((await running.store.reader.jobs.countPending(running.now())) > 0) await wait(20, undefined, { signal: patience })
}
