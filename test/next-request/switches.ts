import assert from 'node:assert/strict'
import type { Line } from '../fresh-answers/line.ts'

/** Something that is on or off, how it is switched, and ways of looking at it as a plain user. */
export interface Switch {
  readonly name: string
  turn(line: Line, isOn: boolean): Promise<void>
  readonly looks: readonly Look[]
}

export interface Look {
  readonly name: string
  see(line: Line): Promise<Seen>
}

export interface Seen {
  /** What is seen of it; several things, each true or not by itself. */
  readonly states: readonly boolean[]
  /** What was found is what was sought. */
  readonly isFitting: boolean
}

export const observer = 'ann'
const home = '/default-domain/workspaces'

/** Does it as an administrator. Gives the text of the answer. */
async function act(line: Line, method: string, path: string, body?: object): Promise<string> {
  const call = { method, path, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const { status, text } = await line.call('Administrator', call)
  assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
  return text
}

const run = (line: Line, operation: string, id: string, params: object = {}) =>
  act(line, 'POST', `/automation/${operation}`, { input: `doc:${id}`, params, context: {} })

async function create(line: Line, parent: string, type: string, name: string): Promise<Created> {
  const properties = { 'dc:title': name }
  return JSON.parse(await act(line, 'POST', `/path${parent}`, { 'entity-type': 'document', type, name, properties }))
}

interface Created {
  readonly uid: string
  readonly path: string
}

async function get(line: Line, path: string, headers = {}) {
  const { status, text } = await line.call(observer, { method: 'GET', path, headers })
  assert.ok(status < 500, `${path}: ${status} ${text}`)
  return { status, body: JSON.parse(text) }
}

const query = (line: Line, condition: string, headers = {}) =>
  get(line, `/search/execute?query=${encodeURIComponent(`SELECT * FROM Document WHERE ${condition}`)}&pageSize=20`, headers)

const sees = (name: string, see: (line: Line) => Promise<readonly boolean[]>): Look => ({
  name,
  see: async (line) => ({ states: await see(line), isFitting: true }),
})

type Entry = Awaited<ReturnType<typeof get>>['body']

/** Finds one document or none, and that only as it was sought. */
const finds = (name: string, condition: string, isFitting: (entry: Entry) => boolean): Look => ({
  name,
  async see(line) {
    const { body } = await query(line, condition, { properties: 'dublincore' })
    return { states: [body.resultsCount === 1, body.entries.length === 1], isFitting: body.entries.every(isFitting) }
  },
})

/** Whether a document is there for the user, by every way to it. */
function looksForDocument({ uid, path }: Created, parentId: string): readonly Look[] {
  const found = (name: string, condition: string) =>
    finds(name, `ecm:isVersion = 0 AND ${condition}`, (entry) => entry.uid === uid)
  const title = path.slice(path.lastIndexOf('/') + 1)
  return [
    sees('by id', async (line) => [(await get(line, `/id/${uid}`)).status === 200]),
    sees('by path', async (line) => [(await get(line, `/path${path}`, { properties: '*' })).status === 200]),
    sees('with enrichers', async (line) => {
      const { status, body } = await get(line, `/id/${uid}`, { 'enrichers-document': 'permissions' })
      return [status === 200, body.contextParameters?.permissions?.includes('Read') ?? false]
    }),
    found('by query', `ecm:uuid = '${uid}'`),
    found('by words', `ecm:fulltext = '${title}'`),
    found('by contained text', `dc:title ILIKE '%${title.slice(1)}%'`),
    sees('among children', async (line) => [(await get(line, `/id/${parentId}/@children`)).body.entries.length === 1]),
  ]
}

/** Makes what is switched. All is off. */
export async function makeSwitches(line: Line): Promise<readonly Switch[]> {
  const rights = await Promise.all(
    ['acl', 'ancestor', 'block', 'group', 'nested'].map((name) => makeRightsSwitch(line, name as keyof typeof rightsTurns)),
  )
  return [...rights, await makeTrashSwitch(line), await makeTitleSwitch(line), await makePlaceSwitch(line)]
}

type Turn = (line: Line, isOn: boolean, at: { readonly outer: string; readonly document: string }) => Promise<unknown>

const grantTo =
  (user: string, on: 'outer' | 'document'): Turn =>
  (line, isOn, at) =>
    isOn
      ? run(line, 'Document.AddPermission', at[on], { users: [user], permission: 'Read', acl: 'switch' })
      : run(line, 'Document.RemovePermission', at[on], { user, acl: 'switch' })

const group = (id: string, members: object) => ({ 'entity-type': 'group', id, ...members })

const rightsTurns = {
  acl: grantTo(observer, 'document'),
  ancestor: grantTo(observer, 'outer'),
  block: (line, isOn, at) =>
    run(line, isOn ? 'Document.UnblockPermissionInheritance' : 'Document.BlockPermissionInheritance', at.document, {
      acl: 'switch',
    }),
  group: (line, isOn) =>
    isOn ? act(line, 'POST', `/group/of-group/user/${observer}`) : act(line, 'DELETE', `/user/${observer}/group/of-group`),
  nested: (line, isOn) => act(line, 'PUT', '/group/of-nested', group('of-nested', { memberGroups: isOn ? ['crew'] : [] })),
} satisfies Record<string, Turn>

/** A document in a folder that the user may look into, unless it is that which is switched. */
async function makeRightsSwitch(line: Line, name: keyof typeof rightsTurns): Promise<Switch> {
  const outer = await create(line, home, 'Folder', `outer${name}`)
  const inner = await create(line, outer.path, 'Folder', `inner${name}`)
  const document = await create(line, inner.path, 'Note', `word${name}`)
  const at = { outer: outer.uid, document: document.uid }
  const isInherited = name === 'ancestor'
  await run(line, 'Document.BlockPermissionInheritance', isInherited ? outer.uid : document.uid, { acl: 'switch' })
  if (!isInherited) await run(line, 'Document.AddPermission', inner.uid, { users: [observer], permission: 'Read' })
  if (name === 'group' || name === 'nested') {
    await act(line, 'POST', '/group', group(`of-${name}`, {}))
    await run(line, 'Document.AddPermission', document.uid, { users: [`of-${name}`], permission: 'Read', acl: 'switch' })
  }
  const looks = looksForDocument(document, inner.uid)
  return {
    name,
    turn: async (chosen, isOn) => void (await rightsTurns[name](chosen, isOn, at)),
    // Who may not read a folder may not ask for its children.
    looks: isInherited ? looks.filter((look) => look.name !== 'among children') : looks,
  }
}

async function makeTrashSwitch(line: Line): Promise<Switch> {
  const { folder, document } = await makeOpenDocument(line, 'trash')
  return {
    name: 'trash',
    turn: async (chosen, isOn) => void (await run(chosen, isOn ? 'Document.Trash' : 'Document.Untrash', document.uid)),
    looks: [
      sees('by id', async (chosen) => [(await get(chosen, `/id/${document.uid}`)).body.isTrashed]),
      finds('by query', `ecm:isTrashed = 1 AND ecm:ancestorId = '${folder.uid}'`, ({ isTrashed }) => isTrashed),
      sees('among children', async (chosen) => [(await get(chosen, `/id/${folder.uid}/@children`)).body.entries.length === 0]),
    ],
  }
}

async function makeTitleSwitch(line: Line): Promise<Switch> {
  const { folder, document } = await makeOpenDocument(line, 'title')
  const found = (name: string, condition: string) =>
    finds(name, `${condition} AND ecm:parentId = '${folder.uid}'`, ({ properties }) => properties['dc:title'] === 'switchedon')
  return {
    name: 'title',
    turn: async (chosen, isOn) => {
      const properties = { 'dc:title': isOn ? 'switchedon' : 'otherwise' }
      await act(chosen, 'PUT', `/id/${document.uid}`, { 'entity-type': 'document', properties })
    },
    looks: [
      sees('by id', async (chosen) => [(await get(chosen, `/id/${document.uid}`)).body.title === 'switchedon']),
      found('by query', "dc:title = 'switchedon'"),
      found('by words', "ecm:fulltext = 'switchedon'"),
      found('by contained text', "dc:title LIKE '%witchedo%'"),
    ],
  }
}

async function makePlaceSwitch(line: Line): Promise<Switch> {
  const { folder, document } = await makeOpenDocument(line, 'place')
  const other = await create(line, home, 'Folder', 'elsewhere')
  await run(line, 'Document.AddPermission', other.uid, { users: [observer], permission: 'Read' })
  return {
    name: 'place',
    turn: async (chosen, isOn) =>
      void (await run(chosen, 'Document.Move', document.uid, { target: isOn ? other.uid : folder.uid })),
    looks: [
      sees('by id', async (chosen) => [(await get(chosen, `/id/${document.uid}`)).body.parentRef === other.uid]),
      sees('by path', async (chosen) => [(await get(chosen, `/path${other.path}/wordplace`)).status === 200]),
      sees('by old path', async (chosen) => [(await get(chosen, `/path${document.path}`)).status === 404]),
      finds('by query', `ecm:path STARTSWITH '${other.path}'`, ({ parentRef }) => parentRef === other.uid),
      sees('among children', async (chosen) => [(await get(chosen, `/id/${other.uid}/@children`)).body.entries.length === 1]),
    ],
  }
}

async function makeOpenDocument(line: Line, name: string) {
  const folder = await create(line, home, 'Folder', `folder${name}`)
  const document = await create(line, folder.path, 'Note', `word${name}`)
  await run(line, 'Document.AddPermission', folder.uid, { users: [observer], permission: 'Read' })
  return { folder, document }
}
