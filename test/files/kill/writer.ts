import type { Random } from '../../faults/kill/random.ts'
import { seededBytes, seededDigest } from '../../support/seeded-bytes.ts'
import { type Attached, attachedFrom, type Batch, type Journal, type Unanswered } from './journal.ts'
import { type Answered, anyContent, ask, openBatch, requireOneOf, sendFile } from './uploading.ts'

const workspaces = '/path/default-domain/workspaces'
const json = { 'content-type': 'application/json' }
let names = 0

/** Uploads and attaches one file after another to documents of its own and keeps account, until a request goes unanswered. */
export async function uploadUntilCutOff(url: string, journal: Journal, random: Random): Promise<void> {
  const own = new Set<string>()
  while (await writeOne(url, journal, random, own));
}

/** Gives whether it was answered. */
async function writeOne(url: string, journal: Journal, random: Random, own: Set<string>): Promise<boolean> {
  if (random.next() < 0.03) return collect(url)
  const chance = random.next()
  const id = random.pick([...own].filter((one) => journal.documents.has(one)))
  if (id === undefined || chance < 0.6) {
    const batch = await fillBatch(url, journal, random)
    // Some are left for later, or for ever.
    if (batch === undefined || chance < 0.05) return batch !== undefined
    if (id !== undefined && chance < 0.3) return attach(url, journal, id, batch)
    const created = await createWith(url, journal, batch)
    if (created !== undefined) own.add(created)
    return created !== undefined
  }
  if (chance < 0.75) return replaceMain(url, journal, random, id)
  if (chance < 0.85) return takeAway(url, journal, id)
  own.delete(id)
  return remove(url, journal, id)
}

/** Undefined when not all of it was acknowledged. */
async function fillBatch(url: string, journal: Journal, random: Random): Promise<Batch | undefined> {
  const batch = await openBatch(url, journal)
  if (batch === undefined) return undefined
  const count = random.between(1, 4)
  for (let file = 0; file < count; file++) if (!(await sendFile(url, journal, batch, random))) return undefined
  return batch
}

/** Creates a document with all files of a batch; undefined when that was not answered. */
export async function createWith(url: string, journal: Journal, batch: Batch): Promise<string | undefined> {
  names += 1
  const name = `${process.pid}-${names}`
  const after = attachedFrom(batch)
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name, properties: propertiesFrom(batch) })
  const answer = await accounted(journal, { kind: 'create', name, after, batch }, [201], () =>
    ask(url, 'POST', workspaces, { headers: json, body }),
  )
  if (answer === undefined) return undefined
  journal.batches.delete(batch)
  journal.documents.set(answer.body.uid, after)
  return answer.body.uid
}

async function attach(url: string, journal: Journal, id: string, batch: Batch): Promise<boolean> {
  const isDone = await put(url, journal, id, { after: attachedFrom(batch), properties: propertiesFrom(batch), batch })
  if (isDone) journal.batches.delete(batch)
  return isDone
}

function takeAway(url: string, journal: Journal, id: string): Promise<boolean> {
  const after = { main: null, others: [] }
  return put(url, journal, id, { after, properties: { 'file:content': null, 'files:files': [] } })
}

async function put(
  url: string,
  journal: Journal,
  id: string,
  { after, properties, batch }: { readonly after: Attached; readonly properties: object; readonly batch?: Batch },
): Promise<boolean> {
  const write: Unanswered = { kind: 'update', id, before: attachedTo(journal, id), after, ...(batch && { batch }) }
  const body = JSON.stringify({ 'entity-type': 'document', uid: id, properties })
  const answer = await accounted(journal, write, [200], () => ask(url, 'PUT', `/id/${id}`, { headers: json, body }))
  if (answer !== undefined) journal.documents.set(id, after)
  return answer !== undefined
}

async function replaceMain(url: string, journal: Journal, random: Random, id: string): Promise<boolean> {
  const { seed, length } = anyContent(random)
  const before = attachedTo(journal, id)
  const after = { ...before, main: seededDigest(seed, length) }
  const form = new FormData()
  form.set('content', new Blob([seededBytes(seed, 0, length)]), `form-${seed}.bin`)
  const answer = await accounted(journal, { kind: 'update', id, before, after }, [200], () =>
    ask(url, 'PUT', `/id/${id}/@blob/file:content`, { body: form }),
  )
  if (answer !== undefined) journal.documents.set(id, after)
  return answer !== undefined
}

export async function remove(url: string, journal: Journal, id: string): Promise<boolean> {
  const write: Unanswered = { kind: 'remove', id, before: attachedTo(journal, id) }
  const answer = await accounted(journal, write, [204], () => ask(url, 'DELETE', `/id/${id}`))
  if (answer !== undefined) journal.documents.delete(id)
  return answer !== undefined
}

async function collect(url: string): Promise<boolean> {
  const answer = await ask(url, 'DELETE', '/management/blobs/orphaned')
  return requireOneOf('garbage collection', [200], answer) !== undefined
}

function attachedTo(journal: Journal, id: string): Attached {
  const attached = journal.documents.get(id)
  if (attached === undefined) throw new Error(`The journal knows no document ${id}.`)
  return attached
}

function propertiesFrom({ id, files }: Batch): object {
  const [main, ...others] = files.map((_, index) => ({ 'upload-batch': id, 'upload-fileId': String(index) }))
  return { 'file:content': main ?? null, 'files:files': others.map((file) => ({ file })) }
}

/** Keeps the write in the journal until it is answered; undefined when it never is. */
async function accounted(
  journal: Journal,
  write: Unanswered,
  expected: readonly number[],
  send: () => Promise<Answered | undefined>,
): Promise<Answered | undefined> {
  journal.unanswered.add(write)
  const answer = requireOneOf(write.kind, expected, await send())
  if (answer === undefined) return undefined
  journal.unanswered.delete(write)
  journal.acknowledged += 1
  return answer
}
