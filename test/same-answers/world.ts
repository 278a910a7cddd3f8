import assert from 'node:assert/strict'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { untilIdle } from '../support/background.ts'

/** A server with documents of which the user may read some, the same in the same order whatever else there is. */
export interface World {
  readonly server: TestServer
  /** What the user may read, in the order in which it was made, so that one number means the same document in every world. */
  readonly visible: readonly VisibleDocument[]
}

export interface VisibleDocument {
  readonly id: string
  readonly path: string
  readonly type: string
}

export const reader = 'bob'

export const words = (
  'annual budget meeting report invoice contract plan summary review minutes agenda letter offer order delivery secret merger ' +
  'takeover payroll bonus dismissal acquisition confidential blackmail'
).split(' ')
export const subjects = ['art/architecture', 'art/comics', 'art/cinema', 'sciences/astronomy', 'sciences/biology']
const natures = ['report', 'article', 'invoice', 'contract']

/** How much of what the user may not read is put between what the user may. */
export type Hidden = 'nothing' | 'much'

/** What a world is made of. */
export interface WorldPlan {
  readonly seed: number
  /** How many folders of documents there are; with the fourth one every kind of thing has been there. */
  readonly rounds?: number
}

/** @param hidden with `much`, hidden documents stand beside, below, before and after all visible ones. */
export async function makeWorld(settings: { readonly [name: string]: unknown }, hidden: Hidden, plan: WorldPlan): Promise<World> {
  // Nobody looks at the mail, so none is sent.
  const server = await startTestServer({ settings: { notificationDigest: '31d', ...settings } })
  try {
    await server.addUser(reader, ['members'])
    await server.addUser('ann', ['members'])
    const visible = await fill(server, hidden, plan)
    await untilIdle(server)
    return { server, visible }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function fill(server: TestServer, hidden: Hidden, { seed, rounds = 12 }: WorldPlan): Promise<readonly VisibleDocument[]> {
  const admin = server.as('Administrator')
  // The same choices for what is visible in every world; those for what is hidden come from a source of their own.
  const random = createRandom(seed)
  const hiddenRandom = createRandom(seed + 1)
  const visible: VisibleDocument[] = []

  const create = async (parent: string, type: string, name: string, properties: object) => {
    const { status, body, text } = await admin.post(`/path${parent}`, { 'entity-type': 'document', type, name, properties })
    assert.equal(status, 201, text)
    return { id: body.uid as string, path: body.path as string, type }
  }
  const run = async (operation: string, input: string, params: object = {}) => {
    const { status, text, body } = await admin.post(`/automation/${operation}`, { input, params, context: {} })
    assert.ok(status < 300, `${operation}: ${text}`)
    return body
  }
  const see = <One extends VisibleDocument>(document: One): One => {
    visible.push(document)
    return document
  }
  let said = 0
  /** A comment, a reply and an annotation, in an order of their own: those of two servers are not written in the same millisecond. */
  const discuss = async (id: string, source: Random) => {
    const say = async (about: string, adapter: 'comment' | 'annotation', fields: object = {}) => {
      const creationDate = new Date(Date.UTC(2026, 0, 1) + ++said * 1_000).toISOString()
      const body = { 'entity-type': adapter, text: textOf(source, 4), entityId: source.pick(words), creationDate, ...fields }
      const answer = await admin.post(`/id/${about}/@${adapter}`, body)
      assert.equal(answer.status, 201, answer.text)
      return answer.body.id as string
    }
    const comment = await say(id, 'comment')
    const reply = await say(comment, 'comment')
    const annotation = await say(id, 'annotation', { xpath: 'file:content' })
    return [comment, reply, annotation, await say(annotation, 'comment')]
  }
  /** Others, groups and the user too: whoever was subscribed stays it when the right is gone. */
  const subscribe = async (id: string, source: Random) => {
    await run('Document.Subscribe', id)
    const subscribers = ['user:ann', `user:${reader}`, 'group:members'].filter(() => source.next() < 0.5)
    const properties = { 'notif:notifications': [{ name: source.pick(['Modification', 'Creation']), subscribers }] }
    const { status, text } = await admin.put(`/id/${id}`, { 'entity-type': 'document', properties })
    assert.equal(status, 200, text)
  }
  const hide = async (parent: string, name: string) => {
    if (hidden === 'nothing') return undefined
    const folder = await create(parent, 'Folder', name, propertiesOf(hiddenRandom, 'hidden'))
    await run('Document.AddPermission', folder.id, { users: ['Administrator'], permission: 'Everything', blockInheritance: true })
    for (let index = 0; index < 3; index++) {
      const note = await create(folder.path, 'Note', `n${index}`, {
        ...propertiesOf(hiddenRandom, 'hidden'),
        'note:note': textOf(hiddenRandom, 40),
      })
      if (index === 0) await discuss(note.id, hiddenRandom)
      await run('Document.CreateVersion', note.id, { increment: 'Major' })
      if (index === 0) {
        await run('Services.TagDocument', note.id, { tags: ['hush', `hush-${name}`, hiddenRandom.pick(words)] })
        await run('Document.AddToFavorites', note.id)
        await subscribe(note.id, hiddenRandom)
      }
    }
    const gathered = await run('Collection.Create', folder.id, { name: `${hiddenRandom.pick(words)} ${name}` })
    await run('Document.AddToCollection', `docs:${folder.path}/n0,${folder.path}/n1`, { collection: gathered.uid })
    return folder
  }

  const root = '/default-domain/workspaces'
  await hide(root, 'before')
  const shared = see(await create(root, 'Workspace', 'shared', { 'dc:title': 'Shared' }))
  const own = see(await create(root, 'Workspace', 'own', { 'dc:title': 'Own' }))
  await run('Document.AddPermission', shared.id, { users: [reader], permission: 'Read' })
  await run('Document.AddPermission', own.id, { users: [reader], permission: 'Everything' })
  const collection = see(await create(own.path, 'Collection', 'gathered', { 'dc:title': 'contract collection' }))
  for (let round = 0; round < rounds; round++) {
    const parent = round % 3 === 0 ? own : shared
    const secret = await hide(parent.path, `hidden${round}`)
    const folder = see(
      await create(parent.path, round % 2 === 0 ? 'Folder' : 'OrderedFolder', `folder${round}`, propertiesOf(random, 'visible')),
    )
    const below = await hide(folder.path, `a-hidden${round}`)
    for (let index = 0; index < 4; index++) {
      const type = index === 3 ? 'Folder' : (random.pick(['File', 'Note']) ?? 'Note')
      const document = see(
        await create(folder.path, type, `doc${index}`, {
          ...propertiesOf(random, 'visible'),
          ...(type === 'Note' && { 'note:note': textOf(random, 30) }),
        }),
      )
      if (index === 1 && round % 2 === 0) {
        const spoken = await discuss(document.id, random)
        for (const id of spoken) {
          const { path, type: its } = (await admin.get(`/id/${id}`)).body
          see({ id, path, type: its })
        }
      }
      if (index < 2) await run('Services.TagDocument', document.id, { tags: [random.pick(words), random.pick(words)] })
      if (index === 1) await run('Document.AddToCollection', document.id, { collection: collection.id })
      if (index === 0 && round % 2 === 1) await subscribe(document.id, random)
      if (index === 2) {
        const version = await run('Document.CreateVersion', document.id, { increment: 'Minor' })
        if (secret !== undefined) {
          const proxy = await run('Document.PublishToSection', document.id, { target: secret.id })
          if (round % 4 === 0) await discuss(proxy.uid, hiddenRandom)
        }
        if (typeof version.uid === 'string') see({ id: version.uid, path: document.path, type })
      }
      if (index === 0) await hide(folder.path, `between${round}-${index}`)
    }
    if (below !== undefined) await run('Document.AddPermission', below.id, { users: ['ann'], permission: 'Read' })
  }
  await hide(root, 'zz-after')
  return visible
}

function propertiesOf(random: Random, whose: 'hidden' | 'visible'): object {
  return {
    'dc:title': `${whose === 'hidden' ? 'secret ' : ''}${textOf(random, 3)}`,
    'dc:description': textOf(random, 8),
    'dc:source': random.pick(words),
    'dc:nature': random.pick(natures),
    'dc:subjects': [random.pick(subjects), random.pick(subjects)],
    'dc:coverage': random.pick(['europe/France', 'africa/Algeria', 'asia/India']),
    'dc:expired': `20${random.between(10, 30)}-0${random.between(1, 10)}-11T00:00:00.000Z`,
  }
}

export function textOf(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(words)).join(' ')
}
