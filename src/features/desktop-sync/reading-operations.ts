import type { OperationContext } from '../../automation/context.ts'
import { defineOperation, type Operation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { userDirectory } from '../../core/directories/people.ts'
import { actingName } from '../../model/rights/principal.ts'
import { summariseChanges } from './change-summary.ts'
import { conflictedName } from './conflicted-name.ts'
import { scrollDescendants } from './descendants.ts'
import { isTop, openItemTree } from './item-tree.ts'
import { listChildItems, listRootItems } from './list-items.ts'
import type { DesktopSyncValues } from './settings.ts'
import { canMoveItem, itemFixed, readFolderItem } from './write-items.ts'

export const category = 'Services'

export const idParameter = required('string', { description: 'The id of the item' })
export const parentParameter = optional('string', {
  description: 'The id of what it is in, for a member of a collection that is in a folder as well',
})

function treeOf({ session, services }: OperationContext) {
  return openItemTree(session, services.vendored)
}

const getTopLevelFolder = defineOperation({
  id: 'PlatformDrive.GetTopLevelFolder',
  category,
  description: 'Gives the folder in which a desktop client shows what the current user synchronises.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('void', 'blob', async (_, { context }) => jsonBlob((await treeOf(context)).top))],
})

async function findItem(context: OperationContext, id: string, parentId: string | undefined) {
  const tree = await treeOf(context)
  return isTop(id) ? tree.top : ((await tree.findById(id, parentId))?.item ?? null)
}

const getFileSystemItem = defineOperation({
  id: 'PlatformDrive.GetFileSystemItem',
  category,
  description: 'Gives a file or a folder as a desktop client shows it; null when it is not there for the current user.',
  effect: 'reads',
  params: { id: idParameter, parentId: parentParameter },
  run: ({ on }) => [
    on('void', 'blob', async (_, { context, params: { id, parentId } }) => jsonBlob(await findItem(context, id, parentId))),
  ],
})

const fileSystemItemExists = defineOperation({
  id: 'PlatformDrive.FileSystemItemExists',
  category,
  description: 'Tells whether a file or a folder is there for the current user.',
  effect: 'reads',
  params: { id: idParameter, parentId: parentParameter },
  run: ({ on }) => [
    on('void', 'blob', async (_, { context, params: { id, parentId } }) =>
      jsonBlob((await findItem(context, id, parentId)) !== null),
    ),
  ],
})

const getChildren = defineOperation({
  id: 'PlatformDrive.GetChildren',
  category,
  description: 'Gives what is in a folder of a desktop client; what the current user synchronises, for the top one.',
  effect: 'reads',
  params: { id: idParameter },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params: { id } }) => {
      const tree = await treeOf(context)
      if (isTop(id)) return jsonBlob(await listRootItems(tree))
      return jsonBlob(await listChildItems(session, tree, await readFolderItem(tree, id)))
    }),
  ],
})

const scroll = defineOperation({
  id: 'PlatformDrive.ScrollDescendants',
  category,
  description: 'Gives all that is below a folder of a desktop client, a batch at a time; the last one is empty.',
  effect: 'reads',
  params: {
    id: idParameter,
    scrollId: optional('string', { description: 'What the batch before gave; none begins' }),
    batchSize: required('int', { description: 'Most items of a batch' }),
    keepAlive: defaulted('long', 60_000, { description: 'How long the next batch may be asked for, in milliseconds' }),
  },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params: { id, scrollId, batchSize, keepAlive } }) => {
      const tree = await treeOf(context)
      if (isTop(id)) throw itemFixed({ id, action: 'scrolled through' })
      const folder = await readFolderItem(tree, id)
      if (!('canScrollDescendants' in folder.item && folder.item.canScrollDescendants))
        throw itemFixed({ id, action: 'scrolled through' })
      const { signal } = context.host
      const request = { scrollId, batchSize, keepAliveMilliseconds: Number(keepAlive), signal }
      return jsonBlob(await scrollDescendants(session, tree, folder, request))
    }),
  ],
})

const getChangeSummary = ({ desktopSyncChangeLimit: limit }: DesktopSyncValues) =>
  defineOperation({
    id: 'PlatformDrive.GetChangeSummary',
    category,
    description: 'Gives what has changed for a desktop client of the current user since it asked last.',
    effect: 'reads',
    params: {
      lowerBound: defaulted('long', -1, { description: 'The upperBound of the summary before; without it, only where to begin' }),
      lastSyncActiveRootDefinitions: optional('string', {
        description: 'activeSynchronizationRootDefinitions of the summary before',
      }),
    },
    run: ({ on }) => [
      on('void', 'blob', async (_, { session, context, params: { lowerBound, lastSyncActiveRootDefinitions } }) => {
        const question = { lowerBound: Number(lowerBound), lastDefinitions: lastSyncActiveRootDefinitions ?? '', limit }
        return jsonBlob(await summariseChanges(session, context.services.vendored, question))
      }),
    ],
  })

const canMove = defineOperation({
  id: 'PlatformDrive.CanMove',
  category,
  description: 'Tells whether a file or a folder can be moved into a folder.',
  effect: 'reads',
  params: { srcId: required('string'), destId: required('string') },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params: { srcId, destId } }) =>
      jsonBlob(await canMoveItem(session, context.services, srcId, destId)),
    ),
  ],
})

const generateConflictedItemName = defineOperation({
  id: 'PlatformDrive.GenerateConflictedItemName',
  category,
  description: 'Gives what a file is called whose name another one has: its name, the current user and the time.',
  effect: 'reads',
  params: { name: required('string') },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, context, params: { name } }) =>
      jsonBlob(conflictedName(name, await fullName(context), new Date(session.now))),
    ),
  ],
})

async function fullName({ session, services: { directories, principalRules } }: OperationContext): Promise<string> {
  const user = actingName(session.principal)
  const entry = await directories.store.reader.directories.find(userDirectory, user)
  const properties = entry?.values ?? principalRules.virtualUsers.find(({ name }) => name === user)?.properties
  const names = [properties?.['firstName'], properties?.['lastName']].filter(
    (name) => typeof name === 'string' && name.trim() !== '',
  )
  return names.length === 0 ? user : names.join(' ')
}

const getClientUpdateInfo = ({ desktopSyncUpdateSite }: DesktopSyncValues, version: () => string) =>
  defineOperation({
    id: 'PlatformDrive.GetClientUpdateInfo',
    category,
    description: 'Tells desktop clients which API the server speaks, and where newer versions of them are.',
    effect: 'reads',
    params: {},
    run: ({ on }) => [
      on('void', 'blob', () => jsonBlob({ serverVersion: version(), updateSiteURL: desktopSyncUpdateSite ?? null })),
    ],
  })

const getRepositories = defineOperation({
  id: 'GetRepositories',
  category,
  description: 'Lists the names of the repositories of the server.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('void', 'list', (_, { context }) => [...context.services.repositories.keys()])],
})

export function readingOperations(values: DesktopSyncValues, version: () => string): readonly Operation[] {
  return [
    getTopLevelFolder,
    getFileSystemItem,
    fileSystemItemExists,
    getChildren,
    scroll,
    getChangeSummary(values),
    canMove,
    generateConflictedItemName,
    getClientUpdateInfo(values, version),
    getRepositories,
  ]
}
