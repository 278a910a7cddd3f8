import { inspect } from 'node:util'
import { maxMegabytes, maxMegabytesWithBucket, takeThrough } from '../files/large/large-round.ts'
import type { EngineName } from '../support/database-place.ts'
import { startS3Server } from '../support/s3-server.ts'
import { onStressPlace } from './stress-place.ts'

const chunkBytes = 64_000_000

export interface LargeFileStress {
  readonly megabytes: number
  readonly seed: number
  readonly usesBucket: boolean
}

/** Takes one large file through a server. Gives whether it came back as it was and the server stayed small. */
export async function stressByLargeFile(engine: EngineName, { megabytes, seed, usesBucket }: LargeFileStress): Promise<boolean> {
  const bucket = usesBucket ? await startS3Server() : undefined
  console.log(`${engine}: a file of ${megabytes} MB ${usesBucket ? 'in a bucket ' : ''}with seed ${seed}`)
  try {
    const file = { seed, length: megabytes * 1_000_000, chunkBytes }
    const round = await onStressPlace(engine, (place) => takeThrough(place, file, bucket))
    const isSmall = round.megabytes < (usesBucket ? maxMegabytesWithBucket : maxMegabytes)
    const rate = (seconds: number) => `${seconds.toFixed(1)} s (${(megabytes / seconds).toFixed(0)} MB/s)`
    console.log(
      `${isSmall ? 'ok    ' : 'FAILED'} ${engine}: up in chunks ${rate(round.uploadSeconds)}, down in ranges ` +
        `${rate(round.rangesSeconds)}, at one go ${rate(round.wholeSeconds)}; the server held ${round.megabytes.toFixed(0)} MB at most`,
    )
    return isSmall
  } catch (error) {
    console.log(`FAILED ${engine}: ${inspect(error)}`)
    const repeat = `--engine ${engine} --megabytes ${megabytes} --seed ${seed}${usesBucket ? ' --s3' : ''}`
    console.log(`To repeat: npm run stress -- files-large ${repeat}`)
    return false
  } finally {
    await bucket?.stop()
  }
}
