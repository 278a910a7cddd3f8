import assert from 'node:assert/strict'
import type { TestServer } from '../../src/testing.ts'
import { operationsOn } from './operations.ts'
import { type Answered, requireStatus } from './workbench.ts'

/** What a desktop client keeps of a file or a folder. */
export type KnownItem = Answered

/** A client that synchronises as the published one does: it scans once, and from then on applies summaries of changes to what it has. */
export interface DesktopClient {
  /** By their ids. */
  readonly items: Map<string, KnownItem>
  /** How often it was told to compare everything anew. */
  readonly fullScans: number
  call(operation: string, params?: object, input?: unknown): Promise<Answered>
  register(uid: string): Promise<void>
  unregister(uid: string): Promise<void>
  /** Begins with all that is there. */
  start(): Promise<void>
  /** Asks for changes and applies them; gives what it was told. */
  poll(): Promise<Answered>
  /** All that the server lists, folder by folder. */
  listed(): Promise<Map<string, KnownItem>>
  /** Names of what the client has, in folders: `root/folder/file`. */
  names(): readonly string[]
}

export function desktopClientOn(server: TestServer, user: string, batchSize = 3): DesktopClient {
  const items = new Map<string, KnownItem>()
  let bound = 0
  let definitions = ''
  let fullScans = 0

  const call: DesktopClient['call'] = async (operation, params = {}, input) => {
    const answer = await operationsOn(server, user)(`AcmeDrive.${operation}`, {
      params,
      ...(input !== undefined && { input }),
    })
    if (answer.status === 204) return undefined
    return requireStatus(200, answer)
  }

  async function summary(): Promise<Answered> {
    const told = await call('GetChangeSummary', { lowerBound: bound, lastSyncActiveRootDefinitions: definitions })
    bound = told.upperBound
    definitions = told.activeSynchronizationRootDefinitions
    return told
  }

  function descendantsOf(id: string): KnownItem[] {
    const children = [...items.values()].filter((one) => one.parentId === id)
    return children.flatMap((child) => [child, ...descendantsOf(child.id)])
  }

  function drop(id: string): void {
    for (const one of descendantsOf(id)) items.delete(one.id)
    items.delete(id)
  }

  async function scroll(id: string): Promise<KnownItem[]> {
    const found: KnownItem[] = []
    for (let scrollId: string | null = null; ; ) {
      const page: Answered = await call('ScrollDescendants', { id, scrollId, batchSize })
      if (page.fileSystemItems.length === 0) return found
      found.push(...page.fileSystemItems)
      scrollId = page.scrollId
    }
  }

  async function scan(folder: KnownItem): Promise<void> {
    if (!folder.folder) return
    const left = new Set(descendantsOf(folder.id).map(({ id }) => id))
    const found = folder.canScrollDescendants ? await scroll(folder.id) : await call('GetChildren', { id: folder.id })
    for (const one of found) {
      left.delete(one.id)
      assert.ok(items.has(one.parentId), `the parent of ${one.name} comes before it`)
      items.set(one.id, one)
      if (!folder.canScrollDescendants && one.folder) {
        for (const { id } of descendantsOf(one.id)) left.delete(id)
        await scan(one)
      }
    }
    for (const id of left) items.delete(id)
  }

  async function scanAll(): Promise<void> {
    fullScans += 1
    const top = await call('GetTopLevelFolder')
    items.set(top.id, top)
    await scan(top)
  }

  async function apply(changes: readonly Answered[]): Promise<void> {
    const refreshed = new Set<string>()
    const toDelete: string[] = []
    const toScan: string[] = []
    for (const { eventId, fileSystemItemId: id, fileSystemItem: item } of changes.toSorted((a, b) => b.eventDate - a.eventDate)) {
      if ([...refreshed].some((one) => one.endsWith(id))) continue
      const known = items.get(id) ?? [...items.values()].find((one) => one.id.endsWith(id))
      if (known !== undefined) {
        refreshed.add(id)
        if (eventId === 'deleted') {
          if (item === null) toDelete.push(known.id)
          continue
        }
        if (item === null) {
          if (eventId === 'securityUpdated') drop(known.id)
          continue
        }
        items.set(item.id, item)
        if (!item.folder) continue
        if (eventId === 'securityUpdated') toScan.push(item.id)
        else await scan(item)
        continue
      }
      // A creation is taken up only where its folder is known already.
      if (item === null || !items.has(item.parentId)) continue
      items.set(item.id, item)
      if (item.folder) toScan.push(item.id)
      refreshed.add(id)
    }
    for (const id of toDelete) if ((await call('GetFileSystemItem', { id })) === null) drop(id)
    for (const id of toScan) {
      const item = await call('GetFileSystemItem', { id })
      if (item !== null && items.has(id)) await scan(item)
    }
  }

  const client: DesktopClient = {
    items,
    get fullScans() {
      return fullScans
    },
    call,
    register: async (uid) => void (await call('SetSynchronization', { enable: true }, uid)),
    unregister: async (uid) => void (await call('SetSynchronization', { enable: false }, uid)),
    async start() {
      await summary()
      await scanAll()
    },
    async poll() {
      const told = await summary()
      if (told.hasTooManyChanges) await scanAll()
      else await apply(told.fileSystemChanges)
      return told
    },
    async listed() {
      const found = new Map<string, KnownItem>()
      const list = async (folder: KnownItem): Promise<void> => {
        found.set(folder.id, folder)
        if (folder.folder) for (const child of await call('GetChildren', { id: folder.id })) await list(child)
      }
      await list(await call('GetTopLevelFolder'))
      return found
    },
    names() {
      const nameOf = ({ parentId, name }: KnownItem): string => {
        const parent = items.get(parentId)
        return parent === undefined || parent.parentId === null ? name : `${nameOf(parent)}/${name}`
      }
      return [...items.values()]
        .filter(({ parentId }) => parentId !== null)
        .map(nameOf)
        .sort()
    },
  }
  return client
}

/** What clients compare: dates of reading and the top are none of it. */
export function comparable(items: ReadonlyMap<string, KnownItem>): readonly KnownItem[] {
  return [...items.values()]
    .filter(({ parentId }) => parentId !== null)
    .map(({ lastModificationDate: _, lastContributor: __, ...rest }) => rest)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}
