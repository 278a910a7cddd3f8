import { type Called, callApi } from '../../support/call-api.ts'
import { type Journal, subtreeOf, type Unanswered, type Written } from './journal.ts'
import type { Random } from './random.ts'

const workspaces = '/path/default-domain/workspaces'
const types = ['File', 'File', 'Note', 'Folder'] as const
let names = 0

/** Writes one thing after another in a folder of its own and keeps account, until a write goes unanswered. */
export async function writeUntilCutOff(url: string, journal: Journal, random: Random): Promise<void> {
  const home = await create(url, journal, { type: 'Folder', folder: '', title: 'home', versions: 0 })
  const folders = home === undefined ? [] : [home]
  let isAnswered = home !== undefined
  while (isAnswered) isAnswered = await writeOne(url, journal, random, folders)
}

/** Gives whether it was answered. */
async function writeOne(url: string, journal: Journal, random: Random, folders: string[]): Promise<boolean> {
  const own = [...journal.written].filter(([, { folder }]) => folders.includes(folder))
  const chance = random.next()
  const [id, document] = random.pick(own) ?? []
  if (id === undefined || document === undefined || chance < 0.45) {
    const type = random.pick(types) ?? 'File'
    const draft = { type, folder: random.pick(folders) ?? '', title: `title ${random.next()}`, versions: type === 'Note' ? 1 : 0 }
    const created = await create(url, journal, draft)
    if (created !== undefined && type === 'Folder') folders.push(created)
    return created !== undefined
  }
  if (chance < 0.85) return update(url, journal, id, document, random)
  const isRemoved = await remove(url, journal, id)
  for (const gone of journal.removed) if (folders.includes(gone)) folders.splice(folders.indexOf(gone), 1)
  return isRemoved
}

async function create(url: string, journal: Journal, document: Written): Promise<string | undefined> {
  names += 1
  const name = `${process.pid}-${names}`
  const { type, folder, title } = document
  const content = type === 'File' ? { 'file:content': { data: `content of ${title}`, name: 'content.txt' } } : {}
  const body = { 'entity-type': 'document', type, name, properties: { 'dc:title': title, ...content } }
  const parent = folder === '' ? workspaces : `/id/${folder}`
  const answer = await accounted(journal, { kind: 'create', name, document }, 201, () => callApi(url, 'POST', parent, body))
  if (answer === undefined) return undefined
  journal.written.set(answer.body.uid, document)
  return answer.body.uid
}

async function update(url: string, journal: Journal, id: string, before: Written, random: Random): Promise<boolean> {
  const option = before.type === 'Folder' ? undefined : random.pick(['MINOR', 'MAJOR', undefined, undefined])
  const makesVersion = before.type === 'Note' || option !== undefined
  const after = { ...before, title: `title ${random.next()}`, versions: before.versions + (makesVersion ? 1 : 0) }
  const body = { 'entity-type': 'document', uid: id, properties: { 'dc:title': after.title } }
  const headers = option === undefined ? {} : { 'X-Versioning-Option': option }
  const write: Unanswered = { kind: 'update', id, before, after }
  const answer = await accounted(journal, write, 200, () => callApi(url, 'PUT', `/id/${id}`, body, headers))
  if (answer !== undefined) journal.written.set(id, after)
  return answer !== undefined
}

async function remove(url: string, journal: Journal, id: string): Promise<boolean> {
  const ids = subtreeOf(journal, id)
  const answer = await accounted(journal, { kind: 'remove', ids }, 204, () => callApi(url, 'DELETE', `/id/${id}`))
  if (answer === undefined) return false
  for (const gone of ids) {
    journal.written.delete(gone)
    journal.removed.add(gone)
  }
  return true
}

/** Keeps the write in the journal until it is answered; undefined when it never is. */
async function accounted(
  journal: Journal,
  write: Unanswered,
  expected: number,
  send: () => Promise<Called>,
): Promise<Called | undefined> {
  journal.unanswered.add(write)
  const answer = await send().catch(() => undefined)
  // A server whose database was cut off in the middle of a commit does not know either.
  if (answer === undefined || answer.status === 503 || answer.status === 504) return undefined
  if (answer.status !== expected) throw new Error(`${write.kind} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  journal.unanswered.delete(write)
  journal.acknowledged += 1
  return answer
}
