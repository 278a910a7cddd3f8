import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type BareProgram, startBareProgram } from '../bare/bare-program.ts'
import type { FileSetup } from '../bare/file-program.ts'
import { answerTo, type Call, headOf, type Target, targetOf, textOf } from '../http/call.ts'
import { uploadFor } from '../http/large-uploads.ts'
import { sendFor } from '../http/load.ts'
import { editor } from '../load/people.ts'
import { inboxPath } from '../load/tree.ts'
import type { Contender } from '../rounds.ts'
import type { ServedSite } from '../site.ts'
import { answering, bareAnswering } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

const largeMegabytes = 100
const largeBytes = largeMegabytes * 1_000_000

/** Megabytes in a second, over one connection: the same bytes each time, so that the disk does not fill up. */
const uploadLarge: RateRow = {
  name: 'upload-large',
  title: `POST of ${largeMegabytes} MB to /upload, megabytes`,
  leastShare: 0.6,
  async prepare({ place, server }) {
    const head = headOf(upload(await openBatch(server.target), 0), largeBytes)
    const program = await startFileProgram({ folder: join(place.folder, 'bare-large') })
    const uploading = (target: Target) => (seconds: number) => uploadFor(seconds, target, head, largeMegabytes)
    return {
      quire: { processId: server.processId, rateFor: uploading(server.target), async stop() {} },
      bare: bareContender(program, uploading(targetOf(program.url))),
    }
  },
}

/** The same for the way back: the very file that the server has. */
const downloadLarge: RateRow = {
  name: 'download-large',
  title: `GET @blob of ${largeMegabytes} MB, megabytes`,
  leastShare: 0.7,
  async prepare(site) {
    const id = await createLargeFile(site)
    const request = textOf({ method: 'GET', path: `/api/v1/id/${id}/@blob/file:content`, user: editor.name })
    const file = findLargeFile(join(site.place.folder, 'blobs', 'data'))
    const program = await startFileProgram({ folder: join(site.place.folder, 'bare-large'), file })
    const downloading = (target: Target) => async (seconds: number) =>
      largeMegabytes * (await sendFor(seconds, target, 1, () => request))
    return {
      quire: { processId: site.server.processId, rateFor: downloading(site.server.target), async stop() {} },
      bare: bareContender(program, downloading(targetOf(program.url))),
    }
  },
}

const filesInBatch = 1_000
const batches = 100
const smallBody = 'A small file of a few lines, as scanners and mail programs send them by the thousand.\n'.repeat(50)

/** Files in a second, a thousand in each batch. */
const uploadSmall: RateRow = {
  name: 'upload-small',
  title: `POST of ${smallBody.length} bytes to /upload, ${filesInBatch.toLocaleString('en')} in a batch`,
  async prepare({ place, server }) {
    const ids: string[] = []
    for (let batch = 0; batch < batches; batch++) ids.push(await openBatch(server.target))
    let sent = 0
    const next = () => {
      const batchId = ids[Math.floor(sent / filesInBatch) % ids.length] ?? ''
      const call = { ...upload(batchId, sent % filesInBatch), body: `${sent++} ${smallBody}` }
      return textOf(call)
    }
    const program = await startFileProgram({ folder: join(place.folder, 'bare-small') })
    return { quire: answering(server, next), bare: bareAnswering(program, next) }
  },
}

/** A rendition that is kept, against the same bytes as a plain download of the same server. */
const keptRendition: RateRow = {
  name: 'rendition-kept',
  title: 'GET @rendition/thumbnail that is stored',
  leastShare: 0.9,
  async prepare({ server }) {
    const id = await createThumbnailed(server.target)
    const asking = (adapter: string) => {
      const request = textOf({ method: 'GET', path: `/api/v1/id/${id}/${adapter}`, user: editor.name })
      return answering(server, () => request)
    }
    return { quire: asking('@rendition/thumbnail'), bare: asking('@blob/thumb:thumbnail') }
  },
}

export const fileRows: readonly RateRow[] = [uploadLarge, downloadLarge, uploadSmall, keptRendition]

const startFileProgram = (setup: FileSetup) => startBareProgram(new URL('../bare/file-program.ts', import.meta.url), setup)

function bareContender({ processId, stop }: BareProgram, rateFor: Contender['rateFor']): Contender {
  return { processId, rateFor, stop }
}

function upload(batchId: string, index: number): Call {
  const headers = { 'content-type': 'application/octet-stream', 'x-file-name': `scan-${index}.txt` }
  return { method: 'POST', path: `/api/v1/upload/${batchId}/${index}`, user: editor.name, headers }
}

async function openBatch(target: Target): Promise<string> {
  const { body } = await answerTo({ method: 'POST', path: '/api/v1/upload', user: editor.name }, target)
  return JSON.parse(body).batchId
}

async function createThumbnailed(target: Target): Promise<string> {
  const user = editor.name
  const headers = { 'content-type': 'application/json' }
  const batchId = await openBatch(target)
  await answerTo({ ...upload(batchId, 0), body: smallBody }, target)
  const draft = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'thumbnailed', properties: {} })
  const created = await answerTo({ method: 'POST', path: `/api/v1/path${inboxPath(0)}`, user, headers, body: draft }, target)
  const { uid } = JSON.parse(created.body)
  const facet = JSON.stringify({ input: uid, params: { facet: 'Thumbnail' } })
  await answerTo({ method: 'POST', path: '/api/v1/automation/Document.AddFacet', user, headers, body: facet }, target)
  const properties = { 'thumb:thumbnail': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  const change = JSON.stringify({ 'entity-type': 'document', properties })
  await answerTo({ method: 'PUT', path: `/api/v1/id/${uid}`, user, headers, body: change }, target)
  return uid
}

async function createLargeFile({ server: { target } }: ServedSite): Promise<string> {
  const batchId = await openBatch(target)
  await uploadFor(0, target, headOf(upload(batchId, 0), largeBytes), largeMegabytes)
  const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } }
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'large', properties })
  const created = await answerTo({ method: 'POST', path: `/api/v1/path${inboxPath(0)}`, user: editor.name, body }, target)
  return JSON.parse(created.body).uid
}

/** The server names files by a digest that it shows to nobody. */
function findLargeFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const large = files.map((file) => join(file.parentPath, file.name)).find((path) => statSync(path).size === largeBytes)
  if (large === undefined) throw new Error(`There is no file of ${largeBytes} bytes in ${folder}.`)
  return large
}
