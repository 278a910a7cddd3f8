import { access, constants, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '../../builtin-settings.ts'
import { parseBlobsAddress } from '../../store/blobs/blobs-address.ts'
import { openBlobs } from '../../store/blobs/open-blobs.ts'
import { advice, type Finding, good, inMegabytes, reasonOf, wrong } from './finding.ts'

/** Where files are, and the disks. */
export async function examineFiles(settings: Settings): Promise<readonly Finding[]> {
  const { data, blobs, databaseUrl } = settings
  const findings = [await examineBlobs(settings)]
  const isEmbedded = databaseUrl === undefined
  const folders = new Map([[resolve(data), isEmbedded ? 'data folder, with the database' : 'data folder']])
  if (blobs !== undefined && !blobs.includes('://')) folders.set(resolve(blobs), 'folder of files')
  folders.set(tmpdir(), 'folder for temporary files')
  for (const [folder, name] of folders) findings.push(...(await examineDisk(folder, name, settings)))
  if (isEmbedded) findings.push(...(await examineFileSystem(data)))
  return findings
}

async function examineBlobs({
  blobs: address,
  data: dataFolder,
  blobDigestAlgorithm: digestAlgorithm,
}: Settings): Promise<Finding> {
  const about = 'files'
  try {
    const place = parseBlobsAddress(address ?? join(dataFolder, 'blobs'))
    if (place.kind === 'folder') {
      const existing = await nearestExisting(place.path)
      await access(existing, constants.W_OK)
      return good(
        about,
        existing === resolve(place.path) ? `${existing} can be written to.` : `${resolve(place.path)} can be made.`,
      )
    }
    const store = await openBlobs({ dataFolder, digestAlgorithm, ...(address !== undefined && { address }) })
    // Asks for the time by writing a little, and is told it in whole seconds.
    const skew = Math.abs((await store.now()).getTime() + 500 - Date.now())
    const seconds = Math.floor(skew / 1_000)
    return good(about, `the bucket ${place.bucket} can be written to${seconds < 2 ? '' : `; its clock differs by ${seconds} s`}.`)
  } catch (error) {
    return wrong({
      about,
      fact: `they cannot be written: ${reasonOf(error)}`,
      costs: 'No file can be uploaded, and with an object store none is read either.',
      remedy: 'Let the user that the server runs as write there, or correct --blobs and the credentials of the object store.',
    })
  }
}

/** The folder itself, or the one in which it would be made. */
async function nearestExisting(folder: string): Promise<string> {
  const path = resolve(folder)
  try {
    if ((await stat(path)).isDirectory()) return path
    throw new Error(`${path} is no folder`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return nearestExisting(dirname(path))
  }
}

const fewestEntries = 10_000

async function examineDisk(folder: string, name: string, { diskMinFree }: Settings): Promise<readonly Finding[]> {
  try {
    const { bavail, bsize, blocks, files, ffree } = await statfs(await nearestExisting(folder))
    const free = bavail * bsize
    const share = blocks === 0 ? 100 : Math.round((bavail / blocks) * 100)
    const about = 'disk'
    if (free < diskMinFree)
      return [
        wrong({
          about,
          fact: `the ${name} (${folder}) has ${inMegabytes(free)} left, less than the ${inMegabytes(diskMinFree)} of disk-min-free.`,
          costs: 'When it is full nothing can be changed or uploaded; what is there stays readable.',
          remedy: 'Make room, or move it to a larger disk (quire gc, quire copy).',
        }),
      ]
    // Some file systems count none.
    if (files > 0 && ffree < fewestEntries)
      return [
        wrong({
          about,
          fact: `the file system of the ${name} (${folder}) has room for ${ffree} more files, however small.`,
          costs: 'When there is none left nothing can be uploaded.',
          remedy: 'Move it to a file system that was made with more inodes.',
        }),
      ]
    return [good(about, `the ${name} has ${inMegabytes(free)} left (${share} %).`)]
  } catch (error) {
    return [
      wrong({
        about: 'disk',
        fact: `the ${name} (${folder}) cannot be looked at: ${reasonOf(error)}`,
        costs: 'The server does not start.',
        remedy: 'Let the user that the server runs as read and write there.',
      }),
    ]
  }
}

/** As Linux numbers them. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB'],
  [0x51_7b, 'SMB'],
])

async function examineFileSystem(data: string): Promise<readonly Finding[]> {
  const type = await statfs(await nearestExisting(data)).then(
    (found) => networkFileSystems.get(found.type),
    () => undefined,
  )
  if (type === undefined) return []
  return [
    advice({
      about: 'disk',
      fact: `the embedded database is on ${type}, over the network.`,
      costs: 'Its locks do not hold there for certain: two servers may damage it, and each commit waits for the network.',
      remedy: 'Move --data to a disk of this machine, or use PostgreSQL (quire copy).',
    }),
  ]
}
