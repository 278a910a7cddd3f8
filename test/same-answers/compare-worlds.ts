import type { TestServer } from '../../src/testing.ts'
import { createRandom } from '../faults/kill/random.ts'
import { untilIdle } from '../support/background.ts'
import { anyRequest, type ServerFacts, type WorldRequest } from './requests.ts'
import { makeWorld, reader, type World } from './world.ts'

export interface Difference {
  readonly number: number
  readonly request: WorldRequest
  /** Where the answers part. */
  readonly at: string
}

export interface Comparison {
  readonly compared: number
  readonly statuses: ReadonlyMap<number, number>
  readonly differences: readonly Difference[]
}

type Settings = { readonly [name: string]: unknown }

/**
 * Asks two servers that are alike but for what the user may not read the same thousands of questions. Whatever they answer
 * differently tells of what is hidden.
 * @param settings of the one and of the other, which need a database each
 */
export async function compareWorlds(
  settings: readonly [Settings, Settings],
  { requests, seed, max = 20 }: { readonly requests: number; readonly seed: number; readonly max?: number },
): Promise<Comparison> {
  const bare = await makeWorld(settings[0], 'nothing', seed)
  try {
    const full = await makeWorld(settings[1], 'much', seed)
    try {
      return await ask(bare, full, requests, seed, max)
    } finally {
      await full.server.stop()
    }
  } finally {
    await bare.server.stop()
  }
}

async function ask(bare: World, full: World, requests: number, seed: number, max: number): Promise<Comparison> {
  const random = createRandom(seed)
  const facts = await readFacts(bare.server)
  const statuses = new Map<number, number>()
  const differences: Difference[] = []
  let number = 0
  for (; number < requests && differences.length < max; number++) {
    const request = anyRequest(random, bare.visible.length, facts)
    const [one, other] = await Promise.all([answerOf(bare, request), answerOf(full, request)])
    statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
    if (one.text !== other.text) differences.push({ number, request, at: partingOf(one.text, other.text) })
    if (request.kind.startsWith('write')) await Promise.all([untilIdle(bare.server), untilIdle(full.server)])
  }
  return { compared: number, statuses, differences }
}

/** Page providers and operations that the server has, but for those that answer with chance or with the time. */
async function readFacts(server: TestServer): Promise<ServerFacts> {
  const { body } = await server.as('Administrator').get('/automation')
  const operations = (body.operations as { id: string; category: string; params: { name: string }[] }[])
    .filter(({ id }) =>
      /Fetch|^Document\.Get|^Document\.Query|Repository|Suggest|^Document\.Has|Parent|Export|^Directory|^User|Audit/i.test(id),
    )
    .filter(({ id }) => !/Create|Update|Delete|Set|Invite|ExportToFS|ResultSetQuery|Run/i.test(id))
    .map(({ id, params }) => ({ id, params: params.map(({ name }) => name) }))
  const providers = [
    'default_search',
    'simple_search',
    'default_trash_search',
    'expired_search',
    'assets_search',
    'nxql_search',
    'CURRENT_DOC_CHILDREN',
    'advanced_document_content',
    'tree_children',
    'folder_picker',
    'domain_documents',
    'all_collections',
    'default_collection',
    'user_collections',
    'document_picker',
    'DEFAULT_DOCUMENT_SUGGESTION',
    'all_documents_suggestion',
    'user_documents',
    'user_workspaces',
    'user_shared_documents',
    'user_deleted_documents',
    'user_favorites',
    'DOCUMENT_HISTORY_PROVIDER',
    'VERSIONS',
    'PUBLISHED_SECTIONS',
    'document_trash_content',
    'PERMISSIONS_SEARCH',
  ]
  return { operations, providers }
}

interface ComparedAnswer {
  readonly status: number
  readonly text: string
}

// What is said of the connection and the moment, and lengths that go with what is made alike below.
const passing = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

async function answerOf(world: World, request: WorldRequest): Promise<ComparedAnswer> {
  const { method, headers, body } = request
  const path = named(world, request.path, encodeURIComponent)
  const sent = body === undefined ? undefined : named(world, JSON.stringify(body), (text) => text)
  const answer = await world.server.as(reader).call(method, `api/v1${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const shown = [...answer.headers].filter(([name]) => !passing.has(name)).map(([name, value]) => `${name}: ${value}`)
  return { status: answer.status, text: alike(world, [`${answer.status}`, ...shown, pretty(answer.text)].join('\n')) }
}

function named({ visible }: World, text: string, encode: (text: string) => string): string {
  return text
    .replace(/(?:\{|%7B)path(?: |%20|\+)(\d+)(?:\}|%7D)/g, (_, number) => {
      const path = visible[Number(number)]?.path ?? ''
      return encode === encodeURIComponent ? path.split('/').map(encode).join('/') : path
    })
    .replace(/(?:\{|%7B)(\d+)(?:\}|%7D)/g, (_, number) => visible[Number(number)]?.id ?? '')
}

// Of an archive its documents: moments and checksums are all over it.
const archived = /\w[\w.-]*(?:\/[\w.-]+)*\/document\.xml/g

function pretty(text: string): string {
  if (text.startsWith('PK')) return [...new Set(text.match(archived))].sort().join('\n')
  try {
    return JSON.stringify(JSON.parse(text), undefined, 1)
  } catch {
    return text
  }
}

const anyId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Ids, moments and addresses differ between any two servers; what they stand for must not. */
function alike({ visible, server }: World, text: string): string {
  const numbers = new Map(visible.map(({ id }, number) => [id, `#${number}`]))
  const others = new Map<string, string>()
  return (
    text
      .replaceAll(server.url, '<server>/')
      .replace(anyId, (id) => {
        const known = numbers.get(id) ?? others.get(id) ?? `new${others.size}`
        if (!numbers.has(id)) others.set(id, known)
        return known
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, '<moment>')
      .replace(/\b[0-9a-f]{32,64}\b/g, '<hash>')
      // After these: thirteen digits may stand in the middle of a digest.
      .replace(/(?<!\d)1[6-9]\d{11}(?!\d)/g, '<millis>')
  )
}

function partingOf(one: string, other: string): string {
  const [left, right] = [one.split('\n'), other.split('\n')]
  const at = left.findIndex((line, index) => line !== right[index])
  const place = at < 0 ? left.length : at
  return `without: ${left
    .slice(place, place + 3)
    .join(' ')
    .slice(0, 300)}\n   with: ${right
    .slice(place, place + 3)
    .join(' ')
    .slice(0, 300)}`
}
