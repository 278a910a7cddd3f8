import assert from 'node:assert/strict'
import type { TestServer } from '../../../src/testing.ts'
import { createRandom, type Random } from '../../faults/kill/random.ts'
import { untilIdle } from '../../support/background.ts'

export interface RandomFilling {
  readonly seed: number
  readonly steps: number
}

interface Known {
  readonly folders: string[]
  readonly files: string[]
  readonly collections: string[]
}

const workspaces = '/default-domain/workspaces'
const sections = '/default-domain/sections'
const texts = ['plain', 'ünïcode 😀 \u{ffee}', 'two\u2028lines', '"quoted" \\ back', 'a'.repeat(3_000)]
const names = ['a', 'a b', 'a-b', 'ä', 'Z', '%', '_x', 'b.c', '😀']

/**
 * Fills a server by steps that the seed decides: folders and files with versions, proxies of both kinds, rights with dates, locks, the
 * trash, moves, states, tags, comments, collections, relations, workflows with their tasks, holds, users and groups. A step that is
 * refused, such as the lock of what is locked, is as good as any other.
 */
export async function fillRandomly(server: TestServer, { seed, steps }: RandomFilling): Promise<Known> {
  const random = createRandom(seed)
  const known: Known = { folders: [workspaces], files: [], collections: [] }
  for (const name of ['ann', 'bob']) await server.addUser(name, ['members'])
  const admin = server.as('Administrator')
  const group = { 'entity-type': 'group', groupname: 'readers', memberUsers: ['bob', 'ann'], memberGroups: [] }
  assert.equal((await admin.post('/group', group)).status, 201)
  for (let step = 0; step < steps; step++) {
    // Enough to do something with before anything is done.
    const kind = step < steps / 4 ? random.pick(makers) : random.pick(kinds)
    const status = await kind?.(server, known, random)
    assert.ok((status ?? 0) < 500, `${kind?.name} was answered with ${status} (seed ${seed}, step ${step})`)
  }
  await untilIdle(server)
  return known
}

type Step = (server: TestServer, known: Known, random: Random) => Promise<number>

const place = (path: string) => `/path${path.split('/').map(encodeURIComponent).join('/')}`

async function createFolder(server: TestServer, { folders }: Known, random: Random): Promise<number> {
  const { status, body } = await create(server, random.pick(folders) ?? workspaces, 'Folder', random)
  if (status === 201) folders.push(body.path)
  return status
}

async function createFile(server: TestServer, { folders, files }: Known, random: Random): Promise<number> {
  const content = { data: random.pick(texts) + String(random.between(0, 5)), name: 'ä.txt', 'mime-type': 'text/plain' }
  const { status, body } = await create(server, random.pick(folders) ?? workspaces, 'File', random, { 'file:content': content })
  if (status === 201) files.push(body.path)
  return status
}

async function createNote(server: TestServer, { folders, files }: Known, random: Random): Promise<number> {
  const note = { 'note:note': `<p>${random.pick(texts)?.replaceAll('"', '')}</p>`, 'note:mime_type': 'text/html' }
  const { status, body } = await create(server, random.pick(folders) ?? workspaces, 'Note', random, note)
  if (status === 201) files.push(body.path)
  return status
}

function create(server: TestServer, folder: string, type: string, random: Random, properties: object = {}) {
  const name = `${random.pick(names)}${random.between(0, 1_000)}`
  const common = { 'dc:title': random.pick(texts), 'dc:subjects': ['art', 'sciences'].slice(random.between(0, 3)) }
  const entity = { 'entity-type': 'document', type, name, properties: { ...common, ...properties } }
  return server.as(random.next() < 0.3 ? 'ann' : 'Administrator').post(place(folder), entity)
}

/** An operation on a file that the seed picks. */
function operation(name: string, paramsOf: (random: Random, known: Known) => object, on: 'files' | 'folders' = 'files'): Step {
  const step: Step = async (server, known, random) => {
    const input = random.pick(known[on])
    if (input === undefined || input === workspaces) return 0
    return (await server.as('Administrator').post(`/automation/${name}`, { input, params: paramsOf(random, known) })).status
  }
  Object.defineProperty(step, 'name', { value: name })
  return step
}

const moment = (random: Random) => new Date(Date.UTC(2031, random.between(0, 12), 1)).toISOString()

async function comment(server: TestServer, { files }: Known, random: Random): Promise<number> {
  const path = random.pick(files) ?? ''
  const text = { 'entity-type': 'comment', text: random.pick(texts), parentId: '' }
  return (await server.as('Administrator').post(`${place(path)}/@comment`, text)).status
}

async function startWorkflow(server: TestServer, { files }: Known, random: Random): Promise<number> {
  const admin = server.as('Administrator')
  const { body } = await admin.get(place(random.pick(files) ?? ''))
  const entity = { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview', attachedDocumentIds: [body.uid] }
  return (await admin.post('/workflow', entity)).status
}

async function collect(server: TestServer, { files, collections }: Known, random: Random): Promise<number> {
  const admin = server.as('Administrator')
  if (collections.length === 0 || random.next() < 0.2) {
    const entity = { 'entity-type': 'document', type: 'Collection', name: `c${collections.length}`, properties: {} }
    const { body } = await admin.post(place(workspaces), entity)
    collections.push(body.path)
  }
  const params = { collection: random.pick(collections) }
  return (await admin.post('/automation/Document.AddToCollection', { input: random.pick(files), params })).status
}

const makers: readonly Step[] = [createFolder, createFile, createFile, createNote]

const kinds: readonly Step[] = [
  ...makers,
  comment,
  collect,
  startWorkflow,
  operation('Document.CreateVersion', (random) => ({ increment: random.pick(['Major', 'Minor']) })),
  operation('Document.Update', (random) => ({ properties: `dc:description=${random.pick(names)}` })),
  operation('Document.AddPermission', (random) => ({
    username: random.pick(['ann', 'readers']),
    permission: random.pick(['Read', 'ReadWrite']),
    ...(random.next() < 0.5 && { begin: moment(random), end: '2040-01-01T00:00:00Z' }),
  })),
  operation('Document.BlockPermissionInheritance', () => ({}), 'folders'),
  operation('Document.Lock', () => ({})),
  operation('Document.Trash', () => ({})),
  operation('Document.Move', (random, { folders }) => ({ target: random.pick(folders) })),
  operation('Document.FollowLifecycleTransition', () => ({ value: 'approve' })),
  operation('Services.TagDocument', (random) => ({ tags: `t${random.between(0, 5)},red` })),
  operation('Document.PublishToSection', () => ({ target: sections })),
  operation('Document.CreateLiveProxy', (random, { folders }) => ({ 'Destination Path': random.pick(folders) })),
  operation('Document.AddRelation', (random, { files }) => ({ object: random.pick(files), predicate: 'urn:about' })),
]
