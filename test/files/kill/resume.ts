import { attachedFrom, type Batch, chunkOf, describeAttached, type Journal, type SentFile } from './journal.ts'
import { type Answered, ask, requireOneOf, sendChunk } from './uploading.ts'
import { createWith } from './writer.ts'

/**
 * Goes on with every upload that was cut off as clients do: asks what has arrived, sends what has not, and gives the files to a document.
 * Gives every promise that was broken, as a sentence.
 */
export async function resumeUploads(url: string, journal: Journal): Promise<readonly string[]> {
  const broken: string[] = []
  for (const batch of journal.leftOver) await answered(ask(url, 'DELETE', `/upload/${batch.id}`))
  journal.leftOver.clear()
  for (const batch of [...journal.batches]) {
    const found = await resumeBatch(url, journal, batch)
    broken.push(...found)
    if (found.length === 0 && batch.files.length > 0) broken.push(...(await use(url, journal, batch)))
    journal.batches.delete(batch)
  }
  return broken
}

async function resumeBatch(url: string, journal: Journal, batch: Batch): Promise<readonly string[]> {
  const known = await answered(ask(url, 'GET', `/upload/${batch.id}`))
  if (known.status === 404) return [`the batch ${batch.id} was acknowledged and is gone`]
  const broken: string[] = []
  for (const file of batch.files) broken.push(...(await resumeFile(url, journal, batch, file)))
  return broken
}

async function resumeFile(url: string, journal: Journal, batch: Batch, file: SentFile): Promise<readonly string[]> {
  const { kind, chunkCount, sent, acknowledged } = file
  const label = `the file ${batch.files.indexOf(file)} of ${batch.id}`
  const info = await answered(ask(url, 'GET', `/upload/${batch.id}/${batch.files.indexOf(file)}`))
  const arrived = arrivedChunks(info)
  const lost = acknowledged.difference(arrived)
  if (lost.size > 0) return [`${label} lost the acknowledged chunks ${[...lost]}: ${info.status} ${JSON.stringify(info.body)}`]
  const invented = arrived.difference(sent)
  if (invented.size > 0) return [`${label} has chunks ${[...invented]} that were never sent`]
  if (kind === 'normal' && arrived.size === 1 && info.body.size !== file.content.length)
    return [`${label} has ${info.body.size} bytes of ${file.content.length}`]
  for (const chunk of arrived) acknowledged.add(chunk)
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    if (!arrived.has(chunk)) await sendChunk(url, journal, batch, file, chunk)
  }
  return []
}

function arrivedChunks({ status, body }: Answered): Set<number> {
  if (status === 404) return new Set()
  return new Set(body.uploadType === 'normal' ? [0] : body.uploadedChunkIds)
}

async function use(url: string, journal: Journal, batch: Batch): Promise<readonly string[]> {
  const id = await createWith(url, journal, batch)
  const { body } = await answered(ask(url, 'GET', `/id/${id}`, { headers: { properties: 'file,files' } }))
  const others = body.properties['files:files'].map((item: { file: { digest: string } | null }) => item.file?.digest ?? 'no file')
  const got = { main: body.properties['file:content']?.digest ?? null, others }
  const expected = attachedFrom(batch)
  if (describeAttached(got) === describeAttached(expected)) return downloadAll(url, String(id), batch)
  return [`${id} got ${describeAttached(got)} from a resumed upload of ${describeAttached(expected)}`]
}

/** Byte for byte, as a client sees them. */
async function downloadAll(url: string, id: string, { files }: Batch): Promise<readonly string[]> {
  const authorization = `Basic ${btoa('Administrator:Administrator')}`
  const broken: string[] = []
  for (const [index, file] of files.entries()) {
    const xpath = index === 0 ? 'file:content' : `files:files/${index - 1}/file`
    const response = await fetch(new URL(`api/v1/id/${id}/@blob/${xpath}`, url), { headers: { authorization } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const whole = Buffer.concat(Array.from({ length: file.chunkCount }, (_, chunk) => chunkOf(file, chunk)))
    if (response.status !== 200 || !bytes.equals(whole)) broken.push(`${id} does not give ${xpath} back: ${response.status}`)
  }
  return broken
}

async function answered(asked: Promise<Answered | undefined>): Promise<Answered> {
  const answer = requireOneOf('a question', [200, 202, 204, 404], await asked)
  if (answer === undefined) throw new Error('The server that was started again does not answer.')
  return answer
}
