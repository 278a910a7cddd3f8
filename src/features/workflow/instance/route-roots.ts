import { randomDecimal } from '../../../base/ids.ts'
import { getOrCreateChild } from '../../../core/documents/get-or-create-child.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { instancesRootAcls, modelsRootAcls } from './route-rights.ts'

// The folders of workflows and tasks. Clients remove them and expect them back when they are needed again (contract: workflow 1).

const taskRootName = 'task-root'
const instancesRootName = 'document-route-instances-root'
const modelsRootName = 'document-route-models-root'

export const tasksPath = `/${taskRootName}`
export const instancesPath = `/${instancesRootName}`
export const modelsPath = `/${modelsRootName}`

/** Whether the server has put the document below this folder of its own. Versions have no place, and a proxy is not what it shows. */
export function standsBelow({ path, isProxy }: Pick<Document, 'path' | 'isProxy'>, root: string): boolean {
  return path !== null && !isProxy && path.startsWith(`${root}/`)
}

async function readRoot(session: WriteSession): Promise<Document> {
  const root = await session.tx.documents.findByPath('/')
  if (root === undefined) throw new Error('A repository has no root.')
  return root
}

export async function modelsRoot(session: WriteSession): Promise<Document> {
  return getOrCreateChild(session, await readRoot(session), modelsRootName, () => ({
    type: 'DocumentRouteModelsRoot',
    acls: modelsRootAcls,
    properties: { 'dc:title': modelsRootName },
  }))
}

export async function taskRoot(session: WriteSession): Promise<Document> {
  const known = await session.tx.documents.findByPath(tasksPath)
  if (known !== undefined) return known
  // Its rights are those of the template of its type.
  return getOrCreateChild(session, await readRoot(session), taskRootName, () => ({
    type: 'TaskRoot',
    properties: { 'dc:title': 'Task' },
  }))
}

/**
 * The name, or one with a random number behind it where it is taken, as it mostly is: of many who begin at the same moment no two shall
 * choose the same, for then one would wait for the end of the other.
 */
export async function nameIn(session: WriteSession, folder: Document, wanted: string): Promise<string> {
  return (await session.tx.documents.hasChild(folder.id, wanted)) ? `${wanted}.${randomDecimal()}` : wanted
}

/** Instances of one day lie together: but for the first of a day one look finds their folder. */
export async function instancesFolder(session: WriteSession): Promise<Document> {
  const date = session.now.slice(0, 10).split('-')
  const known = await session.tx.documents.findByPath(`${instancesPath}/${date.join('/')}`)
  if (known !== undefined) return known
  const { administratorsGroups } = session.repository.rules
  let folder = await getOrCreateChild(session, await readRoot(session), instancesRootName, () => ({
    type: 'DocumentRouteInstancesRoot',
    acls: instancesRootAcls(administratorsGroups),
    properties: { 'dc:title': instancesRootName },
  }))
  for (const name of date) {
    folder = await getOrCreateChild(session, folder, name, () => ({ type: 'HiddenFolder', properties: { 'dc:title': name } }))
  }
  return folder
}
