import { setTimeout as pause } from 'node:timers/promises'
import type { DatabasePlace } from '../../support/database-place.ts'
import { peakMegabytes } from '../../support/process-memory.ts'
import type { Program } from '../../support/program.ts'
import type { S3Server } from '../../support/s3-server.ts'
import { seededDigest } from '../../support/seeded-bytes.ts'
import { startServerProgram, stopProgram } from '../../support/server-programs.ts'
import { downloadInRanges, downloadWhole, type LargeFile, uploadInChunks } from './large-file.ts'

/** A server may hold no more, however large its files are. */
export const maxMegabytes = 200
/** The same with the program that speaks to an object store, which is loaded only then and takes some 30 MB. */
export const maxMegabytesWithBucket = maxMegabytes + 30

export interface LargeRound {
  readonly uploadSeconds: number
  readonly rangesSeconds: number
  readonly wholeSeconds: number
  /** The most memory that the server ever held. */
  readonly megabytes: number
}

/**
 * Takes a file through a server: up in chunks, down in ranges, down at one go, each byte compared.
 * @throws Error when what comes back is not what was sent.
 */
export async function takeThrough(place: DatabasePlace, file: LargeFile, bucket?: S3Server): Promise<LargeRound> {
  const flags = bucket === undefined ? [] : ['--blobs', `s3://files/large?endpoint=${bucket.url}`]
  const server = await startServerProgram(place, flags, bucket?.variables)
  const died = server.ended.then(({ code, complained }) =>
    Promise.reject(new Error(`The server ended with ${code}: ${complained}`)),
  )
  died.catch(() => {})
  try {
    return await passThrough(server, file)
  } catch (error) {
    // Of a server that died, the client sees no more than that it is gone.
    await Promise.race([died, pause(1_000)])
    throw error
  } finally {
    await stopProgram(server)
  }
}

async function passThrough({ url, processId }: Program, file: LargeFile): Promise<LargeRound> {
  const [uploadSeconds, { id, digest }] = await timed(() => uploadInChunks(url, file))
  if (digest !== seededDigest(file.seed, file.length)) throw new Error(`The file became ${digest}.`)
  const [rangesSeconds] = await timed(() => downloadInRanges(url, id, file))
  const [wholeSeconds] = await timed(() => downloadWhole(url, id, file))
  return { uploadSeconds, rangesSeconds, wholeSeconds, megabytes: peakMegabytes(processId) }
}

async function timed<Result>(work: () => Promise<Result>): Promise<readonly [seconds: number, result: Result]> {
  const started = performance.now()
  const result = await work()
  return [(performance.now() - started) / 1_000, result]
}
