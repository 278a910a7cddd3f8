import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Log } from '../../src/base/log.ts'
import type { BlobStore } from '../../src/store/blobs/blob-store.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { type BlobPlace, type BlobPlaceKind, bucketPlace, folderPlace, useS3Server } from './blob-places.ts'
import { type EngineName, engines } from './database-place.ts'
import { freshPlace } from './fresh-place.ts'

/** A whole server and the place where it keeps its files. */
export interface FileServer {
  readonly server: TestServer
  readonly place: BlobPlace
  readonly blobs: BlobStore
  readonly engine: EngineName
  readonly kind: BlobPlaceKind
}

const longAgo = new Date('2020-02-02T02:02:02.000Z')

/** Runs the same tests on each engine and each kind of blob store. */
export function onEachFileServer(
  name: string,
  tests: (started: () => FileServer) => void,
  settings: { readonly [name: string]: unknown } = {},
  log?: Log,
): void {
  for (const engine of engines) {
    describe(`${name} (${engine}, file system)`, () => {
      let folder = ''
      const placeOf = async () => {
        folder = await mkdtemp(join(tmpdir(), 'quire-files-'))
        return folderPlace(folder)
      }
      tests(useFileServer(engine, 'file system', placeOf, settings, log))
      after(() => rm(folder, { recursive: true, force: true }))
    })
    describe(`${name} (${engine}, S3)`, () => {
      const s3 = useS3Server()
      tests(useFileServer(engine, 'S3', async () => bucketPlace(s3(), 'of-tests'), settings, log))
    })
  }
}

function useFileServer(
  engine: EngineName,
  kind: BlobPlaceKind,
  placeOf: () => Promise<BlobPlace>,
  settings: { readonly [name: string]: unknown },
  log?: Log,
): () => FileServer {
  let started: FileServer | undefined
  before(async () => {
    const [place, database] = [await placeOf(), await freshPlace(engine)]
    const server = await startTestServer({
      settings: { ...database.settings, blobs: place.address, ...settings },
      ...(log && { log }),
    })
    started = { server, place, blobs: await place.open(), engine, kind }
  })
  after(() => started?.server.stop())
  return () => {
    if (started === undefined) throw new Error('The server has not started.')
    return started
  }
}

/** As if every file had been written long ago. */
export async function ageFiles({ blobs, place }: Pick<FileServer, 'blobs' | 'place'>): Promise<void> {
  for await (const { key } of blobs.list()) await place.age(key, longAgo)
}

/** As if all that was done had been done long ago. */
export async function ageAll(here: FileServer): Promise<void> {
  await ageFiles(here)
  const soon = new Date(Date.now() + 60_000).toISOString()
  for (const { store } of here.server.services.repositories.values()) {
    await store.transact((tx) => tx.blobKeys.forgetReleases(soon))
  }
}

export async function listKeys(blobs: BlobStore): Promise<readonly string[]> {
  return (await Array.fromAsync(blobs.list())).map(({ key }) => key).toSorted()
}
