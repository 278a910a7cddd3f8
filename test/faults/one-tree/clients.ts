import { type Called, callApi } from '../../support/call-api.ts'
import { createRandom, type Random } from '../kill/random.ts'
import type { Ledger } from './ledger.ts'

/** The folders that everybody changes, and the files of one client, which nobody else writes to or removes. */
interface Client {
  readonly url: string
  readonly random: Random
  readonly folders: readonly string[]
  readonly own: string[]
  readonly ledger: Ledger
}

type Action = (client: Client) => Promise<void>

const folderCount = 12
const workspaces = '/path/default-domain/workspaces'
const users = ['ada', 'bob', 'members', 'eve'] as const

const rightsActions: readonly Action[] = [createFile, updateFile, grant, revoke, block, unblock, grantOnSeveral, moveFolder]
const subtreeActions: readonly Action[] = [
  createFile,
  updateFile,
  updateSeveral,
  moveFolder,
  moveFolder,
  trashFolder,
  untrashFolder,
  copyFolder,
  publish,
  proxy,
  removeFile,
  grant,
  orderFolder,
]

export const waysToChange = { rights: rightsActions, subtree: subtreeActions } as const

export interface ManyClients {
  readonly clients: number
  /** So many changes each. */
  readonly changes: number
  readonly seed: number
  readonly actions: readonly Action[]
}

/** Lets clients change one tree at the same time. Gives the seconds that it took. */
export async function changeOneTree(
  url: string,
  ledger: Ledger,
  { clients, changes, seed, actions }: ManyClients,
): Promise<number> {
  const folders = await growFolders(url, createRandom(seed))
  const started = performance.now()
  const work = Array.from({ length: clients }, async (_, index) => {
    const client = { url, random: createRandom(seed + index + 1), folders, own: [], ledger }
    for (let change = 0; change < changes; change++) await client.random.pick(actions)?.(client)
  })
  await Promise.all(work)
  return (performance.now() - started) / 1_000
}

/** A chain of folders in folders with a few side branches; some keep an order. */
async function growFolders(url: string, random: Random): Promise<readonly string[]> {
  const folders: string[] = []
  for (let index = 0; index < folderCount; index++) {
    const parent = random.pick(folders)
    const type = index % 4 === 3 ? 'OrderedFolder' : 'Folder'
    const body = { 'entity-type': 'document', type, name: `f${index}`, properties: { 'dc:title': `f${index}` } }
    const created = await callApi(url, 'POST', parent === undefined ? workspaces : `/id/${parent}`, body)
    folders.push(created.body.uid)
  }
  return folders
}

let names = 0

async function createFile(client: Client): Promise<void> {
  names += 1
  const title = `file ${names}`
  const body = { 'entity-type': 'document', type: 'File', name: `${names}`, properties: { 'dc:title': title } }
  const { status, body: created } = await send(client, 'POST', `/id/${folderOf(client)}`, body)
  if (status !== 201) return
  client.own.push(created.uid)
  client.ledger.titles.set(created.uid, title)
}

async function updateFile(client: Client): Promise<void> {
  const id = client.random.pick(client.own)
  if (id === undefined) return createFile(client)
  const title = `title ${client.random.between(0, 1_000_000)}`
  const headers = client.random.next() < 0.3 ? { 'X-Versioning-Option': 'MINOR' } : {}
  const body = { 'entity-type': 'document', uid: id, properties: { 'dc:title': title } }
  const { status } = await send(client, 'PUT', `/id/${id}`, body, headers)
  if (status === 200) client.ledger.titles.set(id, title)
}

async function removeFile(client: Client): Promise<void> {
  const id = client.own.pop()
  if (id === undefined) return createFile(client)
  const title = client.ledger.titles.get(id)
  const { status } = await send(client, 'DELETE', `/id/${id}`)
  if (status === 204) {
    client.ledger.titles.delete(id)
    client.ledger.removed.add(id)
  } else if (title !== undefined) client.own.unshift(id)
}

async function grant(client: Client): Promise<void> {
  await operate(client, 'Document.AddPermission', folderOf(client), { users: userOf(client), permission: 'ReadWrite' })
}

async function grantOnSeveral(client: Client): Promise<void> {
  const input = `docs:${several(client).join()}`
  await operate(client, 'Document.AddPermission', input, { users: userOf(client), permission: 'Read' })
}

async function revoke(client: Client): Promise<void> {
  await operate(client, 'Document.RemovePermission', folderOf(client), { user: userOf(client) })
}

async function block(client: Client): Promise<void> {
  await operate(client, 'Document.BlockPermissionInheritance', folderOf(client), {})
}

async function unblock(client: Client): Promise<void> {
  await operate(client, 'Document.UnblockPermissionInheritance', folderOf(client), {})
}

async function updateSeveral(client: Client): Promise<void> {
  const properties = `dc:description=changed ${client.random.between(0, 1_000)}`
  await operate(client, 'Document.Update', `docs:${several(client).join()}`, { properties })
}

async function moveFolder(client: Client): Promise<void> {
  await operate(client, 'Document.Move', folderOf(client), { target: folderOf(client) })
}

async function copyFolder(client: Client): Promise<void> {
  const id = client.random.pick(client.own) ?? folderOf(client)
  await operate(client, 'Document.Copy', id, { target: folderOf(client) })
}

async function trashFolder(client: Client): Promise<void> {
  await operate(client, 'Document.Trash', folderOf(client), {})
}

async function untrashFolder(client: Client): Promise<void> {
  await operate(client, 'Document.Untrash', folderOf(client), {})
}

async function orderFolder(client: Client): Promise<void> {
  await operate(client, 'Document.Order', folderOf(client), {})
}

async function publish(client: Client): Promise<void> {
  const id = client.random.pick(client.own)
  if (id !== undefined) await operate(client, 'Document.PublishToSection', id, { target: folderOf(client) })
}

async function proxy(client: Client): Promise<void> {
  const { status, body } = await send(client, 'GET', `/id/${folderOf(client)}`)
  const id = client.random.pick(client.own)
  if (status === 200 && id !== undefined) {
    await operate(client, 'Document.CreateLiveProxy', id, { 'Destination Path': body.path })
  }
}

function operate(client: Client, operation: string, input: string, params: object): Promise<Called> {
  return send(client, 'POST', `/automation/${operation}`, { input, params })
}

/** Others may have moved, trashed or removed what is meant: then it is not found, taken, not in the trash or not to be placed there. */
const excusable: ReadonlySet<number> = new Set([200, 201, 204, 400, 403, 404, 409])

async function send(
  { url, ledger }: Client,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Called> {
  const answer = await callApi(url, method, path, body, headers)
  ledger.statuses.set(answer.status, (ledger.statuses.get(answer.status) ?? 0) + 1)
  if (!excusable.has(answer.status)) {
    ledger.broken.push(`${method} ${path} was answered ${answer.status}: ${answer.body?.message} ${JSON.stringify(body)}`)
  }
  return answer
}

function folderOf({ folders, random }: Client): string {
  return random.pick(folders) as string
}

function several(client: Client): readonly string[] {
  return [...new Set([folderOf(client), folderOf(client), folderOf(client)])]
}

function userOf({ random }: Client): string {
  return random.pick(users) as string
}
