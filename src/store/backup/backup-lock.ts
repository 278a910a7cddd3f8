import { link, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { defineProblem } from '../../base/problem.ts'

export const backupRunning = defineProblem(
  'backupRunning',
  'conflict',
  (of: { folder: string; process: number; host: string }) =>
    `Process ${of.process} on ${of.host} is making a backup in ${of.folder}. Give the command again when it has ended; should there be no such ` +
    'process any more, that is noticed after two minutes.',
)

export const backupFolderUnusable = defineProblem(
  'backupFolderUnusable',
  'conflict',
  (of: { folder: string; reason: string }) => `Backups cannot be made in ${of.folder}: ${of.reason}. Name another folder.`,
)

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'it is in a file',
  EACCES: 'this user may not write there',
  ENOENT: 'the system makes no folders there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

const beatMillis = 10_000
const staleMillis = 120_000

const draftPrefix = 'lock-'

interface Holder {
  readonly host: string
  readonly process: number
}

/**
 * Has the folder to itself until the function that it gives is called. A process that was killed is found out by its number on the same
 * machine, and on another one by its silence.
 * @throws backupRunning
 */
export async function lockBackups(folder: string): Promise<() => Promise<void>> {
  await makeFolder(folder).catch((cause: NodeJS.ErrnoException) => {
    throw backupFolderUnusable({ folder, reason: reasons[cause.code ?? ''] ?? cause.message }, { cause })
  })
  const path = join(folder, 'lock')
  const own = JSON.stringify({ host: hostname(), process: process.pid, id: newId() } satisfies Holder & { id: string })
  while (!(await hasCreated(path, own))) await removeStale(folder, path)
  await removeDrafts(folder, path)
  // Over what is there, as others may read it meanwhile. Failing once is no harm, and what is wrong with the disk is said by the next write.
  const beating = setInterval(() => void writeFile(path, own, { flag: 'r+' }).catch(() => {}), beatMillis).unref()
  return async () => {
    clearInterval(beating)
    await rm(path, { force: true })
  }
}

/** Whole from its first moment: a process that ends while it says who it is would leave a lock that nobody can be asked about. */
async function hasCreated(path: string, content: string): Promise<boolean> {
  const draft = `${path}-${newId()}`
  try {
    await writeFile(draft, content, { mode: 0o600 })
    await link(draft, path)
    return true
  } catch (error) {
    if (isWithoutLinks(error)) return hasCreatedInPlace(path, content)
    return ifCode('EEXIST')(error as NodeJS.ErrnoException) ?? false
  } finally {
    await rm(draft, { force: true })
  }
}

function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')
}

async function hasCreatedInPlace(path: string, content: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch(ifCode('EEXIST'))
  if (file === undefined) return false
  await file.writeFile(content)
  await file.close()
  return true
}

/** What processes left that were killed while they asked for the lock. */
async function removeDrafts(folder: string, path: string): Promise<void> {
  const { mtimeMs: now } = await stat(path)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue
    const draft = join(folder, name)
    const found = await stat(draft).catch(ifCode('ENOENT'))
    if (found !== undefined && now - found.mtimeMs >= staleMillis) await rm(draft, { force: true })
  }
}

async function removeStale(folder: string, path: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(ifCode('ENOENT'))
  if (found === undefined) return
  const holder = holderIn(found)
  if (await isHeld(folder, path, holder)) throw backupRunning({ folder, ...holder })
  // Another one may have found the same and be here already: what is taken away has to be what was found.
  const aside = `${path}-${newId()}`
  await rename(path, aside).catch(ifCode('ENOENT'))
  const taken = await readFile(aside, 'utf8').catch(ifCode('ENOENT'))
  if (taken !== undefined && taken !== found) return rename(aside, path)
  await rm(aside, { force: true })
}

/** Nobody is known where a process was killed before it had said who it is, on a disk without links. */
function holderIn(text: string): Holder {
  try {
    return JSON.parse(text)
  } catch {
    return { host: 'a machine that is not known', process: 0 }
  }
}

async function isHeld(folder: string, path: string, { host, process: id }: Holder): Promise<boolean> {
  if (host === hostname() && !isRunning(id)) return false
  // By the clock of the file system, which for one in the network is not that of this machine.
  const probe = join(folder, `${draftPrefix}${newId()}`)
  await writeFile(probe, '')
  const [now, beat] = [await stat(probe), await stat(path).catch(ifCode('ENOENT'))]
  await rm(probe)
  return beat !== undefined && now.mtimeMs - beat.mtimeMs < staleMillis
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function ifCode(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code === code) return undefined
    throw error
  }
}
