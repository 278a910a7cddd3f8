import { change, fileProperty, type Scene, sendFile, wordsOf } from './documents.ts'
import { bytesOf, type Content } from './ledger.ts'
import { type Answer, isFailure } from './traffic.ts'

/** A closed folder that one reader is let into and shut out of, by an entry of its own or by a group. */
export interface Room {
  readonly id: string
  readonly document: string
  readonly content: Content
  readonly reader: string
  /** Absent: the entry names the reader. */
  readonly group: string | undefined
  state: 'open' | 'closed' | 'changing' | 'unknown'
  /** Goes up with each change of the state. */
  turns: number
}

const administrator = 'Administrator'

/** @returns undefined when one of the steps was not answered */
export async function makeRoom(scene: Scene, reader: string, isByGroup: boolean): Promise<Room | undefined> {
  const name = `room-${scene.next()}`
  const ask = (method: string, path: string, body: object, expected: number) =>
    change(scene, { kind: 'rights', method, path, user: administrator, body }, expected)
  const create = async (parent: string, type: string, properties: object) =>
    (await ask('POST', `/id/${parent}`, { 'entity-type': 'document', type, name, properties }, 201))?.json.uid as
      | string
      | undefined
  const operate = (operation: string, input: string, params: object) =>
    ask('POST', `/automation/${operation}`, { input: `doc:${input}`, params, context: {} }, 200)

  const id = await create(scene.home, 'Folder', { 'dc:title': name })
  if (id === undefined || (await operate('Document.BlockPermissionInheritance', id, {})) === undefined) return undefined
  const content = { seed: scene.next(), length: scene.random.between(1, 20_000) }
  const batch = await sendFile(scene, administrator, content)
  const document = batch && (await create(id, 'File', { 'dc:title': name, ...fileProperty(batch) }))
  if (document === undefined) return undefined
  const group = isByGroup ? `of-${name}` : undefined
  if (group !== undefined) {
    if ((await ask('POST', '/group', { 'entity-type': 'group', id: group }, 201)) === undefined) return undefined
    if ((await operate('Document.AddPermission', id, { users: [group], permission: 'Read' })) === undefined) return undefined
  }
  return { id, document, content, reader, group, state: 'closed', turns: 0 }
}

/** Opens a closed room or closes an open one. One whose change was never answered is left for good: it may still be done. */
export async function turnRoom(scene: Scene, room: Room): Promise<void> {
  const isOpening = room.state === 'closed'
  room.state = 'changing'
  room.turns += 1
  const answer = await change(
    scene,
    { kind: 'rights', user: administrator, ...turnOf(room, isOpening) },
    answered(room, isOpening),
  )
  room.turns += 1
  room.state = answer === undefined ? 'unknown' : isOpening ? 'open' : 'closed'
}

function turnOf({ id, reader, group }: Room, isOpening: boolean) {
  if (group !== undefined) {
    return isOpening
      ? { method: 'POST', path: `/group/${group}/user/${reader}` }
      : { method: 'DELETE', path: `/user/${reader}/group/${group}` }
  }
  const [operation, params] = isOpening
    ? ['Document.AddPermission', { users: [reader], permission: 'Read', acl: 'turned' }]
    : ['Document.RemovePermission', { user: reader, acl: 'turned' }]
  return { method: 'POST', path: `/automation/${operation}`, body: { input: `doc:${id}`, params, context: {} } }
}

const answered = ({ group }: Room, isOpening: boolean) => (group === undefined ? 200 : isOpening ? 201 : 200)

interface Look {
  readonly path: (room: Room) => string
  /** Whether the answer lets the reader see anything of the room. */
  sees(answer: Answer, room: Room): boolean
}

const isGiven = ({ status }: Answer) => status === 200

/** Every way to what is in a room. */
const looks: Readonly<Record<string, Look>> = {
  'by id': { path: ({ document }) => `/id/${document}`, sees: isGiven },
  'its file': { path: ({ document }) => `/id/${document}/@blob/file:content`, sees: isGiven },
  'as children': { path: ({ id }) => `/id/${id}/@children`, sees: isGiven },
  'by query': {
    path: ({ id }) => `/search/execute?query=${encodeURIComponent(`SELECT * FROM Document WHERE ecm:parentId = '${id}'`)}`,
    sees: ({ json }) => json.entries.length > 0,
  },
}

const refusals: ReadonlySet<number> = new Set([200, 403, 404])

/** The reader looks: never at what was closed before, and always at what was opened before. */
export async function lookIntoRoom({ traffic, ledger, random }: Scene, room: Room): Promise<void> {
  const { state, turns } = room
  const [way, look] = random.pick(Object.entries(looks)) as [string, Look]
  const answer = await traffic.send({ kind: 'read with rights', method: 'GET', path: look.path(room), user: room.reader })
  if (isFailure(answer)) return
  if (!refusals.has(answer.status)) return void ledger.broken.push(`rights, ${way}: answered ${wordsOf(answer)}`)
  const isSeen = look.sees(answer, room)
  if (isSeen && way === 'its file' && !bytesOf(room.content).equals(answer.bytes))
    ledger.broken.push(`rights, ${way}: ${answer.bytes.length} other bytes`)
  // Whoever asks while the rights change may see either.
  if (room.turns !== turns || (state !== 'open' && state !== 'closed')) return
  const whose = room.group === undefined ? 'an entry' : 'a group'
  if (isSeen !== (state === 'open'))
    ledger.broken.push(`rights by ${whose}, ${way}: the room was ${state} and the reader saw ${isSeen ? 'it' : 'nothing'}`)
}

/** Takes over what a room of an unanswered change was for. */
export async function renewRoom(scene: Scene, rooms: Room[], at: number): Promise<void> {
  const before = rooms[at]
  if (before === undefined) return
  const made = await makeRoom(scene, before.reader, before.group !== undefined)
  if (made !== undefined) rooms[at] = made
}
