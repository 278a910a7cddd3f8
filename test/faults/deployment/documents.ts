import type { Random } from '../kill/random.ts'
import {
  bytesOf,
  type Content,
  isSettled,
  type Known,
  knownOf,
  type Ledger,
  lapseIn,
  type Owed,
  propertiesOf,
  type Shelf,
  shelfSize,
  type Whereabouts,
} from './ledger.ts'
import { type Answer, type Asked, isFailure, type Traffic } from './traffic.ts'

/** What a run is made of. */
export interface Scene {
  readonly traffic: Traffic
  readonly ledger: Ledger
  readonly random: Random
  /** The folder that all is in. */
  readonly home: string
  readonly writers: readonly string[]
  /** A number that none had before. */
  next(): number
}

export const anyWriter = ({ random, writers }: Scene) => random.pick(writers) ?? ''

/** Sends a change. Gives its answer when that says whether the change was made; a refusal is a promise that was broken. */
export async function change({ traffic, ledger }: Scene, asked: Asked, expected: number): Promise<Answer | undefined> {
  const answer = await traffic.send(asked)
  if (isFailure(answer)) {
    ledger.unanswered += 1
    return undefined
  }
  if (answer.status === expected) ledger.acknowledged += 1
  else ledger.broken.push(`${asked.kind}: ${asked.method} ${asked.path} was answered ${wordsOf(answer)}`)
  return answer.status === expected ? answer : undefined
}

export const wordsOf = ({ status, bytes }: Answer) => `${status} ${bytes.toString('utf8', 0, 300)}`

export async function createShelf(scene: Scene): Promise<void> {
  const name = `shelf-${scene.next()}`
  const body = { 'entity-type': 'document', type: 'Folder', name, properties: { 'dc:title': name } }
  const asked = { kind: 'create', method: 'POST', path: `/id/${scene.home}`, user: anyWriter(scene), body }
  const answer = await change(scene, asked, 201)
  if (answer !== undefined) scene.ledger.shelves.push({ id: answer.json.uid, documents: [], begun: 0 })
}

export async function createDocument(scene: Scene): Promise<void> {
  const { random } = scene
  const user = anyWriter(scene)
  const shelf = openShelf(scene)
  if (shelf === undefined) return createShelf(scene)
  await createOn(scene, shelf, user, random.next() < 0.5 ? 'Note' : 'File')
}

/** In three requests, which may reach different servers: a batch, its file, and a document that takes it. */
export async function uploadDocument(scene: Scene): Promise<void> {
  const { random } = scene
  const user = anyWriter(scene)
  const shelf = openShelf(scene)
  const scale = random.next() < 0.05 ? 400_000 : 20_000
  const content = { seed: scene.next(), length: random.between(1, scale) }
  if (shelf === undefined) return createShelf(scene)
  const batch = await sendFile(scene, user, content)
  if (batch !== undefined) await createOn(scene, shelf, user, 'File', { content, batch })
}

export async function sendFile(scene: Scene, user: string, content: Content): Promise<string | undefined> {
  const begun = await change(scene, { kind: 'upload', method: 'POST', path: '/upload', user }, 201)
  if (begun === undefined) return undefined
  const path = `/upload/${begun.json.batchId}/0`
  const headers = { 'x-file-name': `file-${content.seed}.bin` }
  const sent = await change(scene, { kind: 'upload', method: 'POST', path, user, headers, body: bytesOf(content) }, 201)
  return sent && begun.json.batchId
}

export const fileProperty = (batch: string) => ({ 'file:content': { 'upload-batch': batch, 'upload-fileId': '0' } })

async function createOn(
  scene: Scene,
  shelf: Shelf,
  user: string,
  type: string,
  file?: { readonly content: Content; readonly batch: string },
): Promise<void> {
  const name = `d${scene.next()}`
  shelf.begun += 1
  const properties = { ...propertiesOf(name, 0), ...(file && fileProperty(file.batch)) }
  const body = { 'entity-type': 'document', type, name, properties }
  const kind = file === undefined ? 'create' : 'attach'
  const answer = await change(scene, { kind, method: 'POST', path: `/id/${shelf.id}`, user, body }, 201)
  if (answer === undefined) return
  const state = { acknowledged: 0, sent: 0, whereabouts: 'there' as const, moves: 0, isMoving: false, isBusy: false }
  const document: Owed = { id: answer.json.uid, name, shelf, file: file?.content, ...state, isUnsure: false }
  shelf.documents.push(document)
  scene.ledger.documents.push(document)
}

/** One of the last few that have room. */
function openShelf({ ledger, random }: Scene): Shelf | undefined {
  const open = ledger.shelves.slice(-12).filter(({ begun }) => begun < shelfSize)
  return open.length < 6 && random.next() < 0.2 ? undefined : random.pick(open)
}

const tries = 20

/** One that nobody changes. Those of the last minutes come more often, as with people. */
function anyDocument({ ledger, random }: Scene, fits: (document: Owed) => boolean): Owed | undefined {
  const { documents } = ledger
  for (let attempt = 0; attempt < tries; attempt++) {
    const from = random.next() < 0.7 ? Math.max(0, documents.length - 1_000) : 0
    const document = documents[random.between(from, documents.length)]
    if (document !== undefined && fits(document)) return document
  }
  return undefined
}

const isFree = (document: Owed) => !document.isBusy && !document.isUnsure

/** Keeps others from changing it meanwhile, and keeps in mind when nobody can say whether it was changed. */
async function alone(document: Owed, work: () => Promise<boolean>): Promise<void> {
  document.isBusy = true
  document.isUnsure = !(await work())
  document.isBusy = false
}

export async function updateDocument(scene: Scene): Promise<void> {
  const user = anyWriter(scene)
  const document = anyDocument(scene, (one) => isFree(one) && one.whereabouts === 'there')
  if (document === undefined) return createDocument(scene)
  await alone(document, async () => {
    document.sent += 1
    const revision = document.sent
    const body = { 'entity-type': 'document', uid: document.id, properties: propertiesOf(document.name, revision) }
    const answer = await change(scene, { kind: 'update', method: 'PUT', path: `/id/${document.id}`, user, body }, 200)
    if (answer !== undefined) document.acknowledged = revision
    return answer !== undefined
  })
}

export async function trashDocument(scene: Scene): Promise<void> {
  const user = anyWriter(scene)
  const document = anyDocument(scene, (one) => isFree(one) && one.whereabouts !== 'removed')
  if (document === undefined) return createDocument(scene)
  const isThere = document.whereabouts === 'there'
  const path = `/automation/${isThere ? 'Document.Trash' : 'Document.Untrash'}`
  const body = { input: `doc:${document.id}`, params: {}, context: {} }
  const asked = { kind: 'trash', method: 'POST', path, user, body }
  await move(scene, document, isThere ? 'trashed' : 'there', asked, 200)
}

export async function removeDocument(scene: Scene): Promise<void> {
  const user = anyWriter(scene)
  const document = anyDocument(scene, (one) => isFree(one) && one.whereabouts !== 'removed')
  if (document === undefined) return createDocument(scene)
  const asked = { kind: 'delete', method: 'DELETE', path: `/id/${document.id}`, user }
  await move(scene, document, 'removed', asked, 204)
}

async function move(scene: Scene, document: Owed, to: Whereabouts, asked: Asked, expected: number): Promise<void> {
  await alone(document, async () => {
    document.isMoving = true
    document.moves += 1
    if ((await change(scene, asked, expected)) === undefined) return false
    document.whereabouts = to
    document.isMoving = false
    document.moves += 1
    return true
  })
}

const shown = { properties: 'dublincore' }

export async function readDocument(scene: Scene): Promise<void> {
  const user = anyWriter(scene)
  const document = anyDocument(scene, ({ isMoving }) => !isMoving)
  if (document === undefined) return createDocument(scene)
  await lookUp(scene, knownOf(document), user, 'read')
}

/** Reads a document and says what is wrong with the answer. */
export async function lookUp({ traffic, ledger }: Scene, known: Known, user: string, kind: string): Promise<Answer> {
  const { document } = known
  const answer = await traffic.send({ kind, method: 'GET', path: `/id/${document.id}`, user, headers: shown })
  if (isFailure(answer) || !isSettled(known)) return answer
  const lapse =
    known.whereabouts === 'removed'
      ? answer.status === 404
        ? undefined
        : `read: ${document.name} was removed and is answered ${wordsOf(answer)}`
      : answer.status !== 200
        ? `read: ${document.name} was acknowledged and is answered ${wordsOf(answer)}`
        : answer.json.isTrashed !== (known.whereabouts === 'trashed')
          ? `read: ${document.name} should be ${known.whereabouts}`
          : lapseIn(known, answer.json, 'read')
  if (lapse !== undefined) ledger.broken.push(lapse)
  return answer
}

export async function downloadFile(scene: Scene): Promise<void> {
  const user = anyWriter(scene)
  const document = anyDocument(
    scene,
    ({ file, isMoving, whereabouts }) => file !== undefined && !isMoving && whereabouts === 'there',
  )
  if (document === undefined) return uploadDocument(scene)
  await fetchFile(scene, knownOf(document), user, 'download')
}

export async function fetchFile({ traffic, ledger }: Scene, known: Known, user: string, kind: string): Promise<Answer> {
  const { document } = known
  const answer = await traffic.send({ kind, method: 'GET', path: `/id/${document.id}/@blob/file:content`, user })
  if (isFailure(answer) || !isSettled(known) || document.file === undefined) return answer
  const isSame = answer.status === 200 && bytesOf(document.file).equals(answer.bytes)
  if (!isSame) {
    const what = answer.status === 200 ? `${answer.bytes.length} other bytes` : wordsOf(answer)
    ledger.broken.push(`download: the file of ${document.name} is answered ${what}`)
  }
  return answer
}

interface Entity {
  readonly uid: string
  readonly properties: { readonly [name: string]: unknown }
}

/** A page of a folder: everything that was acknowledged before is on it. */
export async function listShelf(scene: Scene): Promise<void> {
  const { traffic, random } = scene
  const user = anyWriter(scene)
  const shelf = anyShelf(scene)
  if (shelf === undefined) return createShelf(scene)
  const isList = random.next() < 0.5
  const query = `SELECT * FROM Document WHERE ecm:parentId = '${shelf.id}' AND ecm:isTrashed = 0`
  const path = isList
    ? `/id/${shelf.id}/@children?pageSize=100`
    : `/search/execute?query=${encodeURIComponent(query)}&pageSize=100`
  const known = shelf.documents.map(knownOf)
  const answer = await traffic.send({ kind: isList ? 'list' : 'search', method: 'GET', path, user, headers: shown })
  compareFound(scene, isList ? 'list' : 'search of a folder', known, answer)
}

/** By a word of its title, or by its beginning: the one document. */
export async function searchDocument(scene: Scene): Promise<void> {
  const { traffic, random } = scene
  const user = anyWriter(scene)
  const document = anyDocument(scene, ({ isMoving }) => !isMoving)
  if (document === undefined) return createDocument(scene)
  const isByWord = random.next() < 0.5
  const condition = isByWord ? `ecm:fulltext = '${document.name}'` : `dc:title LIKE '${document.name} %'`
  const query = `SELECT * FROM Document WHERE ${condition} AND ecm:isVersion = 0 AND ecm:isTrashed = 0`
  const path = `/search/execute?query=${encodeURIComponent(query)}&pageSize=20`
  const known = knownOf(document)
  const answer = await traffic.send({ kind: 'search', method: 'GET', path, user, headers: shown })
  compareFound(scene, isByWord ? 'search by word' : 'search by title', [known], answer)
}

function anyShelf({ ledger: { shelves }, random }: Scene): Shelf | undefined {
  return shelves[random.between(random.next() < 0.7 ? Math.max(0, shelves.length - 12) : 0, shelves.length)]
}

function compareFound({ ledger }: Scene, way: string, looked: readonly Known[], answer: Answer): void {
  if (isFailure(answer)) return
  if (answer.status !== 200) return void ledger.broken.push(`${way}: answered ${wordsOf(answer)}`)
  const found = new Map((answer.json.entries as readonly Entity[]).map((entry) => [entry.uid, entry]))
  for (const known of looked.filter(isSettled)) {
    const { document, whereabouts } = known
    const entry = found.get(document.id)
    const isExpected = whereabouts === 'there'
    if ((entry !== undefined) !== isExpected)
      ledger.broken.push(`${way}: ${document.name} is ${whereabouts} and was ${entry === undefined ? 'not ' : ''}found`)
    else if (entry !== undefined) {
      const lapse = lapseIn(known, entry, way)
      if (lapse !== undefined) ledger.broken.push(lapse)
    }
  }
}
