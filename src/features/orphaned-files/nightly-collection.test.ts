import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { noProgress } from '../../../test/support/no-progress.ts'
import { aRepository } from '../../../test/support/rendering.ts'
import type { Log } from '../../base/log.ts'
import { requireSameOwner } from '../../core/blob-owner/require-same-owner.ts'
import { runIfDue } from '../../core/jobs/schedule.ts'
import type { Repository } from '../../core/session.ts'
import { createFilesystemBlobs } from '../../store/blobs/filesystem-blobs.ts'
import type { Store } from '../../store/store.ts'
import { collectBlobsJob, nightlyCollection } from './nightly-collection.ts'

const kind = 'collectBlobs'
/** In the time of this machine, as the setting is. */
const at = (day: number, hour: number, minute: number) => new Date(2031, 0, day, hour, minute).toISOString()

onEachEngine('the nightly collection', (engine) => {
  const folders: string[] = []
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  })

  async function aRepositoryWithFiles(store: Store, log?: Log): Promise<Repository> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-nightly-'))
    folders.push(folder)
    const blobs = createFilesystemBlobs({ folder, digestAlgorithm: 'MD5' })
    return { ...aRepository(store, { now: new Date().toISOString() }), blobs, ...(log && { log }) }
  }

  test('is asked for once a night, in its hour', async () => {
    const store = await engine.openStore()
    const asked: number[] = []
    for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 25) {
      const repository = aRepository(store, { now: at(1, 0, minutes) })
      await runIfDue(repository, nightlyCollection(3))
      const jobs = await store.reader.jobs.list({ kind }, 10)
      for (const { id } of jobs) await store.transact((tx) => tx.jobs.finish(id))
      if (jobs.length > 0) asked.push(minutes)
    }
    assert.equal(asked.length, 3)
    assert.ok(asked.every((minutes) => Math.floor(minutes / 60) % 24 === 3))
  })

  test('looks at all files, also when it has to go on in another job', async () => {
    const store = await engine.openStore()
    const facts: object[] = []
    const keep = (fields: object) => void facts.push(fields)
    const repository = await aRepositoryWithFiles(store, { debug: keep, info: keep, warn: keep, error: keep })
    const texts = ['a', 'b', 'c', 'd']
    for (const text of texts) await repository.blobs.write(Buffer.from(text))
    const repositories = new Map([['default', repository]])
    await requireSameOwner(repositories, { adopts: true })
    const job = collectBlobsJob({ repositories }, { graceMillis: 3_600_000, maxShare: 50 }, 0)
    await store.transact((tx) => tx.jobs.add(kind, {}))
    let turns = 0
    for (; ; turns++) {
      const [next] = await store.reader.jobs.list({ kind }, 1)
      if (next === undefined) break
      await job.run(next.payload, repository, new AbortController().signal, noProgress)
      await store.transact((tx) => tx.jobs.finish(next.id))
    }
    assert.equal(turns, 2 * 256)
    const expected = { numBinaries: texts.length, sizeBinaries: texts.length, numBinariesGC: 0, sizeBinariesGC: 0 }
    assert.deepEqual(facts, [{ event: 'blobs.collected', ...expected }])
  })
})
