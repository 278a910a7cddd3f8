import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareWorlds } from '../same-answers/compare-worlds.ts'
import type { EngineName } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'

/** Asks two servers that differ only in what a user may not read. Gives whether that user got the same answers. */
export async function stressSameAnswers(engine: EngineName, requests: number, seed: number): Promise<boolean> {
  console.log(`${engine}: ${requests} requests to two servers with seed ${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'quire-same-answers-'))
  const postgres = engine === 'postgres' ? await startEmbeddedPostgres() : undefined
  const settingsOf = (name: string) => ({
    data: join(folder, name),
    ...(postgres !== undefined && { databaseUrl: postgres.url, databaseSchema: name }),
  })
  try {
    const { compared, statuses, differences } = await compareWorlds([settingsOf('bare'), settingsOf('full')], { requests, seed })
    for (const { number, request, at } of differences) {
      console.log(
        `FAILED ${number} ${request.kind}: ${request.method} ${request.path} ${JSON.stringify(request.body ?? '')}\n${at}`,
      )
    }
    const counted = [...statuses].sort(([left], [right]) => left - right).map(([status, count]) => `${count} × ${status}`)
    console.log(`${differences.length === 0 ? 'ok' : 'FAILED'}: ${compared} compared, ${counted.join(', ')}`)
    if (differences.length > 0) console.log(`To repeat: npm run stress -- same-answers --rounds ${requests} --seed ${seed}`)
    return differences.length === 0
  } finally {
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
