import { silentLog } from '../../../src/base/log.ts'
import { systemAccess } from '../../../src/core/access.ts'
import { createRepository } from '../../../src/core/create-repository.ts'
import { createDirectories } from '../../../src/core/directories/directories.ts'
import { groupDirectory, groupMembers, subGroups, userDirectory } from '../../../src/core/directories/people.ts'
import { createDocument } from '../../../src/core/documents/create-document.ts'
import { copyDocument } from '../../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../../src/core/documents/proxies/create-proxy.ts'
import { removeDocument } from '../../../src/core/documents/remove-document.ts'
import { addPermission } from '../../../src/core/documents/rights/add-permission.ts'
import { blockInheritance, unblockInheritance } from '../../../src/core/documents/rights/block-inheritance.ts'
import { removeAcl, removePermission } from '../../../src/core/documents/rights/remove-permission.ts'
import { replacePermission } from '../../../src/core/documents/rights/replace-permission.ts'
import { setAcls } from '../../../src/core/documents/rights/set-acls.ts'
import { checkIn } from '../../../src/core/documents/versions/check-in.ts'
import { ensureRoot } from '../../../src/core/initial-content.ts'
import { createPrincipals, type Principals } from '../../../src/core/principals/principals.ts'
import type { Repository, WriteSession } from '../../../src/core/session.ts'
import { aceId } from '../../../src/model/rights/ace-id.ts'
import type { BlobStore } from '../../../src/store/blobs/blob-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { builtinModel } from '../../support/model/builtin-model.ts'
import { aRepository } from '../../support/rendering.ts'
import type { People } from './oracle.ts'
import { type EndStep, groups, type PlaceStep, type RightsStep, type Step, users } from './step.ts'

/** A repository with a clock that steps set, and people in groups. */
export interface Stage {
  readonly repository: Repository
  readonly principals: Principals
  readonly clock: { now: string }
}

export async function prepareStage(store: Store): Promise<Stage> {
  const clock = { now: '2031-01-01T00:00:00.000Z' }
  const rules = { ...aRepository(store).rules, negativeEntries: true, unknownNames: true }
  const { administratorsGroups } = rules
  const principalRules = {
    administratorsGroups,
    reservedGroups: [],
    reservedUsers: [],
    defaultAdministrators: ['Administrator'],
    virtualUsers: [],
    groupComputers: [],
  }
  const principals = createPrincipals(store, principalRules)
  const repository = createRepository({
    name: 'default',
    store,
    model: builtinModel,
    blobs: {} as BlobStore,
    directories: createDirectories([], store, builtinModel),
    principals,
    listeners: [],
    initialContent: [],
    securityPolicies: [],
    fileWatchers: [],
    rules,
    log: silentLog,
    now: () => new Date(clock.now),
  })
  await ensureRoot(repository, [])
  await store.transact(async ({ directories }) => {
    for (const id of users) await directories.insert(userDirectory, { id, values: { username: id } })
    for (const id of groups) await directories.insert(groupDirectory, { id, values: { groupname: id } })
  })
  return { repository, principals, clock }
}

/** One tree, with nobody in any group, and what is known about it without asking the server. */
export interface World extends Stage {
  readonly people: { members: Map<string, readonly string[]>; subGroups: Map<string, readonly string[]> } & People
  /** Live documents and proxies with their folder; the first is the top, which is never moved or removed. */
  readonly parents: Map<string, string | null>
  readonly proxies: Set<string>
  /** Versions with the live document they were made of, be it there or not. */
  readonly versions: Map<string, string>
}

const maxDocuments = 9

/** Starts with two folders, one of them in the other, beside a third. */
export async function createWorld(stage: Stage, name: string): Promise<World> {
  const people = { members: new Map<string, readonly string[]>(), subGroups: new Map<string, readonly string[]>() }
  const world: World = { ...stage, people, parents: new Map(), proxies: new Set(), versions: new Map() }
  stage.clock.now = '2031-01-01T00:00:00.000Z'
  for (const group of groups) await regroup(world, group, [], [])
  const root = await act(world, ({ tx }) => tx.documents.findByPath('/'))
  const top = await createFolder(world, root?.id ?? '', name)
  world.parents.set(top, null)
  const outer = await createFolder(world, top)
  await createFolder(world, outer)
  await createFolder(world, top)
  return world
}

async function createFolder(world: World, parentId: string, name = 'folder'): Promise<string> {
  const { id } = await act(world, async (session) => {
    const parent = (await session.tx.documents.find(parentId)) ?? null
    return createDocument(session, { parent, type: 'Folder', name, properties: {} })
  })
  world.parents.set(id, parentId)
  return id
}

function act<Result>({ repository }: Stage, body: (session: WriteSession) => Promise<Result>): Promise<Result> {
  return systemAccess(repository).write(body)
}

async function regroup({ people, repository }: World, group: string, inside: readonly string[], groupsInside: readonly string[]) {
  people.members.set(group, inside)
  people.subGroups.set(group, groupsInside)
  await repository.store.transact(async ({ directories }) => {
    await directories.replaceTargets(groupMembers, group, inside)
    await directories.replaceTargets(subGroups, group, groupsInside)
  })
}

/** Does the step, or nothing where it makes no sense: nothing is put into a proxy, the top stays where it is. */
export async function take(world: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'wait':
      world.clock.now = step.until
      return
    case 'regroup':
      return regroup(world, step.group, step.users, step.groups)
    case 'create':
    case 'move':
    case 'proxy':
    case 'copy':
      return place(world, step)
    case 'version':
    case 'remove':
      return versionOrRemove(world, step)
    default:
      return changeRights(world, step)
  }
}

const pick = <Item>(items: readonly Item[], number: number) => items[number % items.length] as Item

async function place(world: World, step: PlaceStep): Promise<void> {
  const all = [...world.parents.keys()]
  const folders = all.filter((id) => !world.proxies.has(id))
  if (step.kind === 'move') {
    const [id, folder] = [pick(all, step.at), pick(folders, step.to)]
    if (id === all[0] || isWithin(world, folder, id)) return
    await act(world, (session) => moveDocument(session, id, { parentId: folder, name: `moved-${crypto.randomUUID()}` }))
    world.parents.set(id, folder)
    return
  }
  if (all.length >= maxDocuments) return
  if (step.kind === 'create') {
    await createFolder(world, pick(folders, step.at))
  } else if (step.kind === 'proxy') {
    const [source, folder] = [pick([...folders, ...world.versions.keys()], step.at), pick(folders, step.to)]
    const proxy = await act(world, (session) => createProxy(session, source, folder, `proxy-${crypto.randomUUID()}`))
    world.parents.set(proxy.id, folder)
    world.proxies.add(proxy.id)
  } else await copyLeaf(world, pick(folders, step.at), pick(folders, step.to))
}

/** Only what has nothing below: the copies of what is below would have to be found by their names. */
async function copyLeaf(world: World, id: string, folder: string): Promise<void> {
  if ([...world.parents.values()].includes(id) || isWithin(world, folder, id)) return
  const copy = await act(world, (session) => copyDocument(session, id, { parentId: folder, name: `copy-${crypto.randomUUID()}` }))
  world.parents.set(copy.id, folder)
}

function isWithin(world: World, id: string, top: string): boolean {
  for (let above: string | null = id; above !== null; above = world.parents.get(above) ?? null) if (above === top) return true
  return false
}

async function versionOrRemove(world: World, { kind, at }: EndStep): Promise<void> {
  const all = [...world.parents.keys()]
  if (kind === 'version') {
    const id = pick(
      all.filter((one) => !world.proxies.has(one)),
      at,
    )
    const version = await act(world, async (session) => {
      const live = await session.tx.documents.findForUpdate(id)
      return live === undefined || live.isCheckedIn ? undefined : (await checkIn(session, live, 'minor')).version
    })
    if (version !== undefined) world.versions.set(version.id, id)
    return
  }
  const id = pick(all, at)
  if (id === all[0] || (await isProxied(world, id))) return
  await act(world, (session) => removeDocument(session, id))
  for (const one of all.filter((below) => isWithin(world, below, id))) {
    world.parents.delete(one)
    world.proxies.delete(one)
  }
}

/** What a proxy elsewhere shows cannot be removed. */
function isProxied(world: World, id: string): Promise<boolean> {
  return act(world, async ({ tx }) => {
    const document = await tx.documents.find(id)
    return document?.path != null && (await tx.documents.findProxyInto(document.path)) !== undefined
  })
}

async function changeRights(world: World, step: RightsStep): Promise<void> {
  const id = pick([...world.parents.keys()], step.at)
  await act(world, async (session) => {
    switch (step.kind) {
      case 'set':
        return setAcls(session, id, step.acls, { overwrite: step.overwrite })
      case 'add': {
        const { username, permission, begin, end } = step.ace
        if (permission === 'Fly') return setAcls(session, id, [{ name: step.acl, aces: [step.ace] }], { overwrite: false })
        return addPermission(session, id, { users: [username], permission, acl: step.acl, begin, end })
      }
      case 'replace':
        return replaceFirst(session, id, step)
      case 'removeUser':
        return removePermission(session, id, { user: step.user, acl: step.acl })
      case 'block':
        return blockInheritance(session, id, step.acl)
      case 'unblock':
        return unblockInheritance(session, id, step.acl)
      case 'removeAcl':
        return removeAcl(session, id, step.acl)
    }
  })
}

async function replaceFirst(session: WriteSession, id: string, { acl, ace }: Extract<RightsStep, { kind: 'add' | 'replace' }>) {
  const document = await session.tx.documents.find(id)
  const old = document?.acls.find(({ name }) => name === acl)?.aces[0]
  if (old === undefined) return
  const { username, permission, begin, end } = ace
  if (permission === 'Fly') return
  await replacePermission(session, id, { id: aceId(old), username, permission, acl, begin, end })
}
