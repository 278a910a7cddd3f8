import { groupDirectory, groupMembers, subGroups, userDirectory } from '../../src/core/directories/people.ts'
import { storedEntry } from '../../src/core/directories/stored-entry.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { hashPassword } from '../../src/core/principals/password.ts'
import { grant, localAclName } from '../../src/model/rights/acl.ts'
import type { DirectoryWriter } from '../../src/store/directories.ts'
import type { TestServer } from '../../src/testing.ts'

/** Chains of groups, each in the one above it. Users are members of the lowest and have their rights through the highest. */
export const groupsInChain = 5
const usersInChain = 50
/** Users that ask, the same ones in every population: the rest are only there. */
export const askers: readonly string[] = Array.from({ length: 50 }, (_, index) => userName(2 * index))
/** Each begins the names of ten users. */
export const namePrefixes: readonly string[] = Array.from({ length: 10 }, (_, ten) => userName(10 * ten).slice(0, -1))

const chainCount = (users: number) => Math.ceil(users / usersInChain)
export const groupCount = (users: number) => chainCount(users) * groupsInChain

/** A document that only the members of the highest group of the user's chain may read, and they through all the others. */
export const sharedPath = (turn: number) => `/default-domain/workspaces/chain-${chainOf(2 * (turn % askers.length))}`

const chainsInOneTransaction = 100
// Nobody signs in with it; hashing a password for everybody would take half an hour.
const unusablePassword = '{ARGON2ID}'

/** Fills the directories of users and groups straight through the store. */
export async function populate(server: TestServer, users: number): Promise<void> {
  const { store } = server.services.directories
  const chains = chainCount(users)
  for (let first = 0; first < chains; first += chainsInOneTransaction) {
    await store.transact(async ({ directories }) => {
      for (let chain = first; chain < Math.min(first + chainsInOneTransaction, chains); chain++) {
        await storeChain(server, directories, chain)
      }
    })
  }
  await letAskersIn(server)
  await shareDocuments(server)
}

async function storeChain(server: TestServer, directories: DirectoryWriter, chain: number): Promise<void> {
  const members = Array.from({ length: usersInChain }, (_, index) => userName(chain * usersInChain + index))
  for (const username of members) await storeUser(server, directories, username)
  const groups = Array.from({ length: groupsInChain }, (_, level) => groupName(chain, level))
  for (const [level, groupname] of groups.entries()) {
    const entry = { id: groupname, values: { groupname, grouplabel: `Group ${groupname}` } }
    await directories.insert(groupDirectory, storedEntry(readDefinition(server, groupDirectory), entry))
    const below = groups[level + 1]
    if (below === undefined) await directories.replaceTargets(groupMembers, groupname, members)
    else await directories.replaceTargets(subGroups, groupname, [below])
  }
}

async function storeUser(server: TestServer, directories: DirectoryWriter, username: string): Promise<void> {
  const number = username.slice(-6)
  const names = { firstName: `First${number}`, lastName: `Last${number}`, email: `${username}@example.org` }
  const entry = { id: username, values: { username, password: unusablePassword, ...names } }
  await directories.insert(userDirectory, storedEntry(readDefinition(server, userDirectory), entry))
}

async function letAskersIn(server: TestServer): Promise<void> {
  const passwords = await Promise.all(askers.map(hashPassword))
  await server.services.directories.store.transact(async ({ directories }) => {
    const entries = await directories.findAll(userDirectory, askers)
    for (const [index, entry] of entries.entries()) {
      const values = { ...entry.values, password: passwords[index] ?? null }
      await directories.update(userDirectory, storedEntry(readDefinition(server, userDirectory), { ...entry, values }))
    }
  })
}

async function shareDocuments(server: TestServer): Promise<void> {
  const chains = new Set(askers.keys().map((asker) => chainOf(2 * asker)))
  await server.asSystem(async (session) => {
    const parent = await readDocumentByPath(session, '/default-domain/workspaces')
    for (const chain of chains) {
      const acls = [{ name: localAclName, aces: [grant(groupName(chain, 0), 'Read')] }]
      await createDocument(session, { parent, type: 'File', name: `chain-${chain}`, properties: {}, acls })
    }
  })
}

function readDefinition({ services }: TestServer, name: string) {
  const definition = services.directories.definitions.get(name)
  if (definition === undefined) throw new Error(`There is no directory ${name}.`)
  return definition
}

export function userName(number: number): string {
  return `user-${String(number).padStart(6, '0')}`
}

function groupName(chain: number, level: number): string {
  return `group-${String(chain).padStart(5, '0')}-${level}`
}

function chainOf(user: number): number {
  return Math.floor(user / usersInChain)
}
