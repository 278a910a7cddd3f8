import { pipeline, type Readable, Transform } from 'node:stream'
import { collectYoungGarbage } from '../../../base/garbage.ts'
import { handOver } from '../../../base/spent-bytes.ts'
import { explained } from './s3-problems.ts'

const bytesBetween = 8 * 1024 ** 2

/**
 * Reads answers of the object store. Node's HTTP client copies what a connection receives and leaves the first copy to the collector,
 * which lets seventy megabytes of them gather; collected every few megabytes, they do not (measured: 190 instead of 250 MB while a
 * large file is downloaded, and 3 % of the time that takes).
 */
export function createTidyReading(): (content: Readable) => Readable {
  let passed = 0
  return (content) => {
    const tidy = new Transform({
      destroy: (error, done) => done(error && (explained(error, undefined) as Error)),
      transform(chunk: Uint8Array, _, done) {
        passed += chunk.length
        if (passed > bytesBetween) {
          passed = 0
          collectYoungGarbage()
        }
        done(null, chunk)
      },
    })
    // The reader gets the error; the other is ended with either of them.
    return handOver(pipeline(content, tidy, () => {}))
  }
}
