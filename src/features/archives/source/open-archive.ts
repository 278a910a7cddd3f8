import { createReadStream } from 'node:fs'
import { lstat, open, opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { firstBytes } from '../../../base/first-bytes.ts'
import { archiveDamaged, archiveUnsafe } from '../format/archive-problems.ts'
import { keyOfFile } from '../format/archived-files.ts'
import { findManifest, manifestName } from '../format/manifest.ts'
import { type ArchiveSource, notAnArchive, type ReadableArchive } from './archive-source.ts'
import { openZipSource } from './zip-source.ts'

/** Far more than names all parts. */
const maxManifestBytes = 16 * 1024 ** 2

/** Undefined for a folder that is none, but one of files. @throws notAnArchive, archiveTooNew, archiveUnsafe, archiveDamaged */
export async function findArchive(path: string): Promise<ReadableArchive | undefined> {
  // A link that the caller names is followed; those in an archive lead out of it.
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined || (!stats.isDirectory() && !stats.isFile())) return undefined
  const source = stats.isDirectory() ? folderSource(path) : await openZipSource(path, stats.size)
  try {
    const text = await readText(source)
    const manifest = text === undefined ? undefined : findManifest(text)
    if (manifest !== undefined && text !== undefined) return { ...source, manifest, manifestText: text }
  } catch (error) {
    await source.close()
    throw error
  }
  await source.close()
  if (stats.isDirectory()) return undefined
  throw notAnArchive({ path, reason: `it has no ${manifestName}` })
}

async function readText(source: ArchiveSource): Promise<string | undefined> {
  const content = await source.open(manifestName)
  if (content === undefined) return undefined
  try {
    const { bytes, isCut } = await firstBytes(content, maxManifestBytes)
    if (isCut) throw archiveDamaged({ place: manifestName, reason: `it has more than ${maxManifestBytes} bytes` })
    return new TextDecoder().decode(bytes)
  } finally {
    content.destroy()
  }
}

/** An archive that was unpacked. Links are refused: they lead out of it. */
function folderSource(folder: string): ArchiveSource {
  return {
    open: async (name) => {
      const path = join(folder, name)
      const length = await lengthOf(path)
      return length === undefined ? undefined : createReadStream(path)
    },
    async *files() {
      const blobs = join(folder, 'blobs')
      if ((await lstat(blobs).catch(() => undefined))?.isDirectory() !== true) return
      for await (const share of await opendir(blobs)) {
        if (!share.isDirectory()) throw archiveUnsafe({ reason: `blobs/${share.name} is no folder` })
        for await (const { name } of await opendir(join(blobs, share.name))) {
          const key = keyOfFile(`blobs/${share.name}/${name}`)
          const path = join(blobs, share.name, name)
          const length = await lengthOf(path)
          if (key === undefined || length === undefined) continue
          yield { key, length, open: async () => (await open(path)).createReadStream() }
        }
      }
    },
    close: async () => {},
  }
}

/** Undefined where there is nothing. @throws archiveUnsafe */
async function lengthOf(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats !== undefined && !stats.isFile()) throw archiveUnsafe({ reason: `${path} is a link or no file` })
  return stats?.size
}
