import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { mostMegabytes, takeThrough } from '../files/large/large-round.ts'
import { type EngineName, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { startS3Server } from '../support/s3-server.ts'

const chunkBytes = 64_000_000

/** Takes one large file through a server. Gives whether it came back as it was and the server stayed small. */
export async function stressByLargeFile(
  engine: EngineName,
  { megabytes, seed, usesBucket }: { readonly megabytes: number; readonly seed: number; readonly usesBucket: boolean },
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-stress-'))
  const postgres = engine === 'postgres' ? await startEmbeddedPostgres('full') : undefined
  const place = postgres === undefined ? sqlitePlace(folder) : postgresPlace(folder, postgres.url, 'stress')
  const bucket = usesBucket ? await startS3Server() : undefined
  console.log(`${engine}: a file of ${megabytes} MB ${usesBucket ? 'in a bucket ' : ''}with seed ${seed}`)
  try {
    const length = megabytes * 1_000_000
    const round = await takeThrough(place, { seed, length, chunkBytes }, bucket)
    const isSmall = round.megabytes < mostMegabytes
    const rate = (seconds: number) => `${seconds.toFixed(1)} s (${(megabytes / seconds).toFixed(0)} MB/s)`
    console.log(
      `${isSmall ? 'ok    ' : 'FAILED'} ${engine}: up in chunks ${rate(round.uploadSeconds)}, down in ranges ` +
        `${rate(round.rangesSeconds)}, at one go ${rate(round.wholeSeconds)}; the server held ${round.megabytes.toFixed(0)} MB at most`,
    )
    return isSmall
  } catch (error) {
    console.log(`FAILED ${engine}: ${inspect(error)}`)
    console.log(
      `To repeat: npm run stress -- files-large --engine ${engine} --megabytes ${megabytes} --seed ${seed}${usesBucket ? ' --s3' : ''}`,
    )
    return false
  } finally {
    await place.close()
    await postgres?.stop()
    await bucket?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
