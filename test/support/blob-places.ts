import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe } from 'node:test'
import type { BlobStore, DigestAlgorithm } from '../../src/store/blobs/blob-store.ts'
import { openBlobs } from '../../src/store/blobs/open-blobs.ts'
import { type S3Server, type S3ServerOptions, startS3Server } from './s3-server.ts'

/** Somewhere that blobs are kept, with nothing in it yet. Each store opened on it is as good as another process. */
export interface BlobPlace {
  /** For `--blobs`. */
  readonly address: string
  open(digestAlgorithm?: DigestAlgorithm): Promise<BlobStore>
  /** Puts bytes there under a key, past the store: as an earlier program did, or damage does. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** As if it had been written then. */
  age(key: string, touched: Date): Promise<void>
  /** What was begun and nobody has finished or cleared away. */
  listUnfinished(): Promise<readonly string[]>
}

export type BlobPlaceKind = 'file system' | 'S3'

/** Runs the same tests where blobs are files and where they are objects of a bucket. */
export function onEachBlobPlace(name: string, tests: (createPlace: () => Promise<BlobPlace>, kind: BlobPlaceKind) => void): void {
  describe(`${name} (file system)`, () => {
    const folders: string[] = []
    after(async () => {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    })
    tests(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'))
      folders.push(folder)
      return folderPlace(folder)
    }, 'file system')
  })

  describe(`${name} (S3)`, () => {
    const server = useS3Server({ pageSize: 3 })
    let places = 0
    tests(async () => bucketPlace(server(), `place-${++places}`), 'S3')
  })
}

/** An object store that starts before the tests of a suite and stops after them; its credentials are in the environment meanwhile. */
export function useS3Server(options: S3ServerOptions = {}): () => S3Server {
  let server: S3Server | undefined
  before(async () => {
    server = await startS3Server(options)
    Object.assign(process.env, server.variables)
  })
  after(async () => {
    for (const name of Object.keys(server?.variables ?? {})) delete process.env[name]
    await server?.stop()
  })
  return () => {
    if (server === undefined) throw new Error('The object store has not started.')
    return server
  }
}

export function folderPlace(folder: string): BlobPlace {
  const fileOf = (key: string) => join(folder, 'data', key.slice(0, 2), key.slice(2, 4), key)
  return {
    address: folder,
    open: (digestAlgorithm = 'MD5') => openBlobs({ address: folder, dataFolder: folder, digestAlgorithm }),
    async put(key, bytes) {
      await mkdir(dirname(fileOf(key)), { recursive: true })
      await writeFile(fileOf(key), bytes)
    },
    age: (key, touched) => utimes(fileOf(key), touched, touched),
    listUnfinished: () => readdir(join(folder, 'tmp')),
  }
}

export function bucketPlace(server: S3Server, prefix: string): BlobPlace {
  const address = `s3://files/${prefix}?endpoint=${server.url}`
  const { objects, uploads } = server.bucket('files')
  return {
    address,
    open: (digestAlgorithm = 'MD5') => openBlobs({ address, dataFolder: '/nowhere', digestAlgorithm }),
    async put(key, bytes) {
      await server.bucket('files').put(`${prefix}/${key}`, Readable.from([bytes]))
    },
    async age(key, touched) {
      const object = server.bucket('files').read(`${prefix}/${key}`)
      objects.set(`${prefix}/${key}`, { ...object, touched })
    },
    async listUnfinished() {
      const begun = [...uploads.values()].map(({ key }) => key)
      return [...begun, ...objects.keys()].filter(
        (key) => key.startsWith(`${prefix}/tmp/`) && !key.startsWith(`${prefix}/tmp/removed/`),
      )
    },
  }
}
