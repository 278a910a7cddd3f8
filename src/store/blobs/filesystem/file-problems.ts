import type { Readable } from 'node:stream'
import { filesReadOnly, filesUnavailable, noSpaceLeft } from '../blob-store.ts'

const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']
const readOnlyCodes: readonly unknown[] = ['EROFS', 'EACCES', 'EPERM']
// No descriptors left, a disk that fails, a network file system that went away.
const unavailableCodes: readonly unknown[] = [
  'EMFILE',
  'ENFILE',
  'EIO',
  'ESTALE',
  'ENODEV',
  'ENXIO',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTDOWN',
]

/** What the rest of the server understands, of what the system says when a file is written. */
export function explainWriting(error: unknown): unknown {
  const code = codeOf(error)
  if (fullCodes.includes(code)) return noSpaceLeft({}, { cause: error })
  if (readOnlyCodes.includes(code)) return filesReadOnly({}, { cause: error })
  return explain(error, unavailableCodes)
}

export function explainingWrites<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error) => {
    throw explainWriting(error)
  })
}

/** The same of what it says when one is read. */
export function explainReading(error: unknown): unknown {
  return explain(error, [...unavailableCodes, ...readOnlyCodes])
}

/** Gives the reader of the stream a problem of ours when it fails in the middle. */
export function explainingStream<Stream extends Readable>(stream: Stream): Stream {
  const destroy = stream._destroy.bind(stream)
  stream._destroy = (error, done) => destroy(error, (failure) => done(failure && (explainReading(failure) as Error)))
  return stream
}

function explain(error: unknown, codes: readonly unknown[]): unknown {
  return codes.includes(codeOf(error)) ? filesUnavailable({}, { cause: error }) : error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
