import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiAnswer, TestServer } from '../../../src/testing.ts'
import { createRandom } from '../../faults/kill/random.ts'
import type { DatabasePlace } from '../../support/database-place.ts'
import { findFlaws } from '../../support/repository-flaws.ts'
import { type DescribedOperation, type FuzzedRequest, type FuzzedStage, randomRequest } from './random-request.ts'

const atOnce = 4
/** Requests also remove documents; after so many there are new ones. */
const requestsInStage = 200

/** These say themselves that there is nothing behind them. */
const unavailable = new Set(['Service.HotReloadStudioSnapshot', 'RunInputScript', 'Audit.Restore'])

export interface FuzzingReport {
  readonly statuses: ReadonlyMap<number, number>
  /** Sentences about what should not have been, with the request that caused it. */
  readonly complaints: readonly string[]
}

/** Sends random requests to all operations of a server, and looks at its documents now and then. */
export async function fuzzOperations(
  server: TestServer,
  place: DatabasePlace,
  requests: number,
  seed: number,
): Promise<FuzzingReport> {
  const random = createRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'quire-fuzz-'))
  const operations = await describedOperations(server)
  for (const name of ['anna', 'ben']) await server.addUser(name, ['members'])
  const statuses = new Map<number, number>()
  const complaints: string[] = []
  for (let sent = 0, round = 1; sent < requests && complaints.length < 20; round += 1) {
    const stage = await buildStage(server, `${seed}-${round}`, folder)
    const many = Math.min(requestsInStage, requests - sent)
    const drawn = Array.from({ length: many }, () => randomRequest(random, operations, stage))
    for (let first = 0; first < drawn.length; first += atOnce) {
      const answers = await Promise.all(
        drawn.slice(first, first + atOnce).map(async (request) => ({ request, answer: await send(server, request) })),
      )
      for (const { request, answer } of answers) {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const complaint = complaintAbout(request, answer)
        if (complaint !== undefined) complaints.push(complaint)
      }
    }
    sent += many
    const flaws = await lastingFlaws(place)
    complaints.push(...flaws.map((flaw) => `after ${sent} requests a document ${flaw}`))
  }
  await rm(folder, { recursive: true })
  return { statuses, complaints }
}

const jobMilliseconds = 1_000

/** What is being written by a job while it is looked at is no flaw: it must still be there a while later. */
async function lastingFlaws(place: DatabasePlace): Promise<readonly string[]> {
  // Of words that are not ASCII this is no measure, and some of those here are not.
  const find = async () => (await findFlaws(place)).filter((flaw) => !flaw.endsWith('is not found by its title'))
  const first = new Set(await find())
  if (first.size === 0) return []
  await pause(jobMilliseconds)
  return (await find()).filter((flaw) => first.has(flaw))
}

async function describedOperations(server: TestServer): Promise<readonly DescribedOperation[]> {
  const { body } = await server.as('Administrator').get('/automation')
  return body.operations
}

async function buildStage(server: TestServer, name: string, folder: string): Promise<FuzzedStage> {
  const administrator = server.as('Administrator')
  const made: { path: string; uid: string }[] = []
  const create = async (parent: string, type: string, child: string, properties: object = {}) => {
    const body = { 'entity-type': 'document', type, name: child, properties: { 'dc:title': child, ...properties } }
    const { status, body: document } = await administrator.post(`/path${parent}`, body)
    if (status !== 201) throw new Error(`The stage could not be built: ${JSON.stringify(document)}`)
    made.push(document)
    return document.path as string
  }
  const domain = await create('/', 'Domain', `fuzz-${name}`)
  const workspaces = await create(domain, 'WorkspaceRoot', 'workspaces')
  const workspace = await create(workspaces, 'Workspace', 'ws')
  await create(workspace, 'File', 'file', { 'file:content': { data: 'a text', name: 'a.txt' } })
  await create(workspace, 'Note', 'note', { 'note:note': 'some words' })
  await create(await create(workspace, 'Folder', 'folder'), 'File', 'inner')
  await create(await create(domain, 'SectionRoot', 'sections'), 'Section', 'section')
  await administrator.post('/automation/Document.AddPermission', {
    input: domain,
    params: { permission: 'Everything', username: 'anna' },
  })
  return { paths: [...made.map(({ path }) => path), '/nowhere'], ids: [...made.map(({ uid }) => uid), 'no-such-id'], folder }
}

function send(server: TestServer, { user, path, headers, body }: FuzzedRequest): Promise<ApiAnswer> {
  return server.as(user).call('POST', `api/v1${path}`, { headers, body })
}

function complaintAbout({ user, path, body }: FuzzedRequest, { status, text, body: answer }: ApiAnswer): string | undefined {
  const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  if (status < 300 || (status === 501 && unavailable.has(id))) return undefined
  const isRefusal = status >= 400 && status < 500
  const saysWhy = ['exception', 'validation_report'].includes(answer?.['entity-type'])
  return isRefusal && saysWhy ? undefined : `${status} for ${user} POST ${path} ${body.slice(0, 1_500)}: ${text.slice(0, 500)}`
}
