import type { Repository } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { type Acl, effectiveAces } from '../../src/model/rights/acl.ts'
import type { Transaction } from '../../src/store/store.ts'
import type { TestServer } from '../../src/testing.ts'
import {
  aclsOfLevel,
  aclsOfTeam,
  createPlacing,
  deepFile,
  file,
  folder,
  home,
  homeAcls,
  inbox,
  level,
  type PlaceBelow,
  team,
  topFile,
} from './documents.ts'
import { addPeople } from './people.ts'
import * as tree from './tree.ts'

// Folders that are stored in one transaction: few enough to keep memory flat, enough to forget the cost of a commit.
const foldersInOneTransaction = 10

/**
 * Stores so many files, in folders of a thousand, straight into the tables. What an earlier run has stored stays, so an
 * interrupted one is taken up where it ended.
 * @returns how many files were stored
 */
export async function fillRepository(server: TestServer, files: number, onProgress: (stored: number) => void): Promise<number> {
  const repository = readRepository(server)
  const { documents } = repository.store.reader
  if ((await documents.find(tree.idOf('file', files))) !== undefined)
    throw new Error(`This repository holds more than ${files} files.`)
  const place = createPlacing(repository.model)
  if ((await documents.findByPath(tree.homePath)) === undefined) await fillHome(server, repository, place)
  if ((await documents.find(tree.idOf('topFile', 0))) === undefined) await repository.store.transact((tx) => fillDepth(tx, place))

  let stored = 0
  const step = foldersInOneTransaction * tree.filesInFolder
  for (let first = 0; first < files; first += step) {
    const end = Math.min(first + step, files)
    if ((await documents.find(tree.idOf('file', end - 1))) !== undefined) continue
    await repository.store.transact((tx) => storeFiles(tx, place, first, end))
    stored += end - first
    onProgress(end)
  }
  return stored
}

export function readRepository(server: TestServer): Repository {
  const repository = server.services.repositories.get('default')
  if (repository === undefined) throw new Error('The server has no repository named default.')
  return repository
}

/** The people, and what is the same whatever the number of files: teams with rights of their own, and inboxes to write to. */
async function fillHome(server: TestServer, repository: Repository, place: PlaceBelow): Promise<void> {
  await addPeople(server)
  await repository.store.transact(async (tx) => {
    const parent = await tx.documents.findByPath('/default-domain/workspaces')
    if (parent === undefined) throw new Error('The repository has no workspaces.')
    const placed = await withOwnRights(tx, place(parent, home()), homeAcls)
    const inboxes = Array.from({ length: tree.inboxCount }, (_, number) => place(placed, inbox(number)))
    const teams: Document[] = []
    for (let number = 0; number < tree.teamCount; number++) {
      teams.push(await withOwnRights(tx, place(placed, team(number)), aclsOfTeam(number)))
    }
    await tx.documents.insertMany([placed, ...inboxes, ...teams])
  })
}

/** The same file twice: right below the root, and below as many levels with as many entries as anybody will make. */
async function fillDepth(tx: Transaction, place: PlaceBelow): Promise<void> {
  const [root, bench] = [await tx.documents.findByPath('/'), await tx.documents.findByPath(tree.homePath)]
  if (root === undefined || bench === undefined) throw new Error('The repository has no root.')
  const levels: Document[] = []
  for (let number = 0, parent = bench; number < tree.levelCount; number++) {
    parent = await withOwnRights(tx, place(parent, level(number)), aclsOfLevel(number))
    levels.push(parent)
  }
  const innermost = levels.at(-1) ?? bench
  await tx.documents.insertMany([place(root, topFile()), ...levels, place(innermost, deepFile())])
}

async function withOwnRights(tx: Transaction, document: Document, acls: readonly Acl[]): Promise<Document> {
  const inherited = (await tx.acps.find(document.acpId))?.aces ?? []
  return { ...document, acls, acpId: await tx.acps.intern(effectiveAces(acls, inherited)) }
}

async function storeFiles(tx: Transaction, place: PlaceBelow, first: number, end: number): Promise<void> {
  for (let start = first; start < end; start += tree.filesInFolder) {
    const number = tree.folderOf(start)
    const parent = place(await readTeam(tx, tree.teamOf(number)), folder(number))
    const count = Math.min(tree.filesInFolder, end - start)
    const files = Array.from({ length: count }, (_, index) => place(parent, file(start + index)))
    await tx.documents.insertMany([...files, parent])
  }
}

async function readTeam(tx: Transaction, number: number): Promise<Document> {
  const found = await tx.documents.find(tree.idOf('team', number))
  if (found === undefined) throw new Error(`${tree.teamPath(number)} is missing.`)
  return found
}
