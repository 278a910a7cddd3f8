import { createHash } from 'node:crypto'
import { type Called, callApi } from '../support/call-api.ts'

/** What a server shows of data that somebody is going to look for years later. */
export interface KeptContent {
  readonly documents: readonly KeptDocument[]
  readonly users: readonly { readonly name: string; readonly password: string; readonly groups: readonly string[] }[]
  readonly entries: readonly { readonly directory: string; readonly id: string; readonly label: string }[]
}

interface KeptDocument {
  readonly uid: string
  readonly path: string
  readonly type: string
  readonly state: string
  readonly isTrashed: boolean
  readonly isProxy: boolean
  readonly title: string
  readonly modified: string
  readonly versions: readonly string[]
  readonly rights: readonly string[]
  /** SHA-256 of the file, read by a download. */
  readonly file: string | null
}

const workspaces = '/default-domain/workspaces'
const julie = { name: 'julie', password: 'Élan vital 7', groups: ['reviewers'] }
const entry = { directory: 'continent', id: 'atlantis', label: 'Atlantis' }

/** Fills a server of any version with one of each kind. */
export async function fillWithContent(url: string): Promise<void> {
  const post = (path: string, body: object) => succeed(callApi(url, 'POST', path, body))
  const run = (operation: string, input: string, params: object = {}) => post(`/automation/${operation}`, { input, params })
  await post('/group', { 'entity-type': 'group', groupname: 'reviewers', grouplabel: 'Reviewers' })
  const properties = { username: julie.name, password: julie.password, firstName: 'Julie', groups: julie.groups }
  await post('/user', { 'entity-type': 'user', id: julie.name, properties })
  const values = { id: entry.id, label: entry.label, ordering: 1, obsolete: 0 }
  await post(`/directory/${entry.directory}`, {
    'entity-type': 'directoryEntry',
    directoryName: entry.directory,
    properties: values,
  })
  const create = async (parent: string, type: string, name: string, more: object = {}) =>
    post(`/path${parent}`, { 'entity-type': 'document', type, name, properties: { 'dc:title': `${name} – été`, ...more } })
  const shelf = `${workspaces}/shelf`
  await create(workspaces, 'Workspace', 'shelf', { 'dc:description': 'what is kept' })
  const file = { name: 'lettre à Élise.txt', 'mime-type': 'text/plain', data: 'Ludwig wrote this.\n'.repeat(40) }
  await create(shelf, 'File', 'letter', {
    'file:content': file,
    'dc:subjects': ['art/music'],
    'dc:expired': '2030-01-01T00:00:00.000Z',
  })
  await create(shelf, 'Note', 'note', { 'note:note': '<p>noted</p>', 'note:mime_type': 'text/html' })
  await create(shelf, 'Folder', 'old')
  await run('Document.CreateVersion', `${shelf}/letter`, { increment: 'Major' })
  const update = { 'entity-type': 'document', properties: { 'dc:title': 'letter, second' } }
  await succeed(callApi(url, 'PUT', `/path${shelf}/letter`, update))
  await run('Document.CreateVersion', `${shelf}/letter`, { increment: 'Minor' })
  await run('Document.FollowLifecycleTransition', `${shelf}/note`, { value: 'approve' })
  await run('Document.AddPermission', shelf, { username: julie.name, permission: 'ReadWrite' })
  await run('Document.Trash', `${shelf}/old`)
}

/** What a server shows of it now. */
export async function readContent(url: string): Promise<KeptContent> {
  const query = encodeURIComponent(
    `SELECT * FROM Document WHERE ecm:path STARTSWITH '${workspaces}' AND ecm:isVersion = 0 ORDER BY ecm:path`,
  )
  const { entries } = await succeed(callApi(url, 'GET', `/search/lang/NXQL/execute?query=${query}`))
  const documents: KeptDocument[] = []
  for (const { uid } of entries) documents.push(await readDocument(url, uid))
  const { properties } = await succeed(callApi(url, 'GET', `/directory/${entry.directory}/${entry.id}`))
  const signedIn = await succeed(callApi(url, 'GET', '/me', undefined, signedInAs(julie)))
  return {
    documents,
    users: [{ ...julie, name: signedIn.id, groups: signedIn.properties.groups }],
    entries: [{ ...entry, label: properties.label }],
  }
}

async function readDocument(url: string, uid: string): Promise<KeptDocument> {
  const headers = { properties: '*', 'enrichers.document': 'acls' }
  const document = await succeed(callApi(url, 'GET', `/id/${uid}`, undefined, headers))
  const { path, type, state, isTrashed, isProxy, properties, contextParameters } = document
  const { entries } = await succeed(callApi(url, 'POST', '/automation/Document.GetVersions', { input: uid, params: {} }, headers))
  return {
    uid,
    path,
    type,
    state,
    isTrashed,
    isProxy,
    title: properties['dc:title'],
    modified: properties['dc:modified'],
    versions: entries.map(labelOf).sort(),
    rights: contextParameters.acls.flatMap(rightsIn).sort(),
    file: properties['file:content'] === undefined || properties['file:content'] === null ? null : await download(url, uid),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see below
const labelOf = ({ properties }: any) => `${properties['uid:major_version']}.${properties['uid:minor_version']}`

function rightsIn({
  name,
  aces = [],
  ace = aces,
}: {
  name: string
  aces?: readonly Right[]
  ace?: readonly Right[]
}): readonly string[] {
  return ace.map(({ username, permission, granted }) => `${name}: ${granted ? '' : 'not '}${username} ${permission}`)
}

interface Right {
  readonly username: string
  readonly permission: string
  readonly granted: boolean
}

async function download(url: string, uid: string): Promise<string> {
  const authorization = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`
  const response = await fetch(new URL(`api/v1/id/${uid}/@blob/file:content`, url), { headers: { authorization } })
  if (!response.ok) throw new Error(`The file of ${uid} was answered with ${response.status}.`)
  return createHash('sha256')
    .update(await response.bytes())
    .digest('hex')
}

export function signedInAs({ name, password }: KeptContent['users'][number]): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many versions are looked into freely, and a wrong guess fails
async function succeed(calling: Promise<Called>): Promise<any> {
  const { status, body } = await calling
  if (status >= 300) throw new Error(`It was answered with ${status}: ${JSON.stringify(body)}`)
  return body
}
