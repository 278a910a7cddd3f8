import { cp, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openSession } from '../src/core/access.ts'
import { visibleTo } from '../src/core/documents/visible-children.ts'
import type { ChildrenFilter } from '../src/store/documents.ts'
import { startTestServer, type TestServer } from '../src/testing.ts'
import { fillRepository, readRepository } from './load/fill-repository.ts'
import { reader } from './load/people.ts'
import { idOf, readableFolders } from './load/tree.ts'
import type { Place, Places } from './place.ts'
import type { QuireProcess } from './quire-process.ts'

/** A repository of a certain size, filled and ready to be served. */
export interface Site {
  readonly files: number
  readonly place: Place
  /** Folders of 1,000 files, and what the server asks the database about the children that the reader sees in each. */
  readonly folders: readonly { readonly number: number; readonly filter: ChildrenFilter }[]
}

export interface ServedSite extends Site {
  readonly server: QuireProcess
}

export interface SiteOptions {
  readonly files: number
  readonly scratch: string
  /** Kept as it was filled: what is measured, and written to, is a copy. */
  readonly keepIn: string | undefined
}

const maxFolders = 200

export async function prepareSite(places: Places, { files, scratch, keepIn }: SiteOptions): Promise<Site> {
  const folder = join(scratch, String(files))
  const filledIn = keepIn === undefined ? folder : resolve(keepIn, String(files))
  const folders = await filling(places.create(String(files), filledIn), files)
  if (filledIn !== folder) await cp(filledIn, folder, { recursive: true })
  return { files, place: places.create(String(files), folder), folders }
}

async function filling(place: Place, files: number): Promise<Site['folders']> {
  await mkdir(place.folder, { recursive: true })
  const server = await startTestServer({ settings: place.settings })
  try {
    await fillAndReport(server, files)
    return await describeFolders(server, files)
  } finally {
    await server.stop()
  }
}

async function fillAndReport(server: TestServer, files: number): Promise<void> {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1_000
  const stored = await fillRepository(server, files, (so) =>
    console.error(`filled ${so} of ${files} files in ${seconds().toFixed(0)} s`),
  )
  if (stored > 0) console.error(`filling took ${seconds().toFixed(1)} s: ${Math.round(stored / seconds())} files a second`)
}

async function describeFolders(server: TestServer, files: number): Promise<Site['folders']> {
  const repository = readRepository(server)
  const principal = await server.services.principals.find(reader.name)
  if (principal === undefined) throw new Error(`There is no user ${reader.name}.`)
  const session = openSession(repository, principal)
  const described: { number: number; filter: ChildrenFilter }[] = []
  for (const number of readableFolders(files, maxFolders)) {
    const folder = await repository.store.reader.documents.find(idOf('folder', number))
    if (folder !== undefined) described.push({ number, filter: await visibleTo(session, folder) })
  }
  return described
}
