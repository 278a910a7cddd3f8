import { createRandom } from '../faults/kill/random.ts'
import { untilIdle } from '../support/background.ts'
import { factsOf, named, partingOf, passing, pretty } from './answers.ts'
import { anyRequest, type WorldRequest } from './requests.ts'
import { makeWorld, reader, type World, type WorldPlan } from './world.ts'

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
  { requests, max = 20, ...plan }: WorldPlan & { readonly requests: number; readonly max?: number },
): Promise<Comparison> {
  const bare = await makeWorld(settings[0], 'nothing', plan)
  try {
    const full = await makeWorld(settings[1], 'much', plan)
    try {
      return await ask(bare, full, requests, plan.seed, max)
    } finally {
      await full.server.stop()
    }
  } finally {
    await bare.server.stop()
  }
}

async function ask(bare: World, full: World, requests: number, seed: number, max: number): Promise<Comparison> {
  const random = createRandom(seed)
  const facts = factsOf((await bare.server.as('Administrator').get('/automation')).body)
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

interface ComparedAnswer {
  readonly status: number
  readonly text: string
}

async function answerOf(world: World, request: WorldRequest): Promise<ComparedAnswer> {
  const { method, headers, body } = request
  const path = named(world.visible, request.path, encodeURIComponent)
  const sent = body === undefined ? undefined : named(world.visible, JSON.stringify(body), (text) => text)
  const answer = await world.server.as(reader).call(method, `api/v1${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const shown = [...answer.headers].filter(([name]) => !passing.has(name)).map(([name, value]) => `${name}: ${value}`)
  return { status: answer.status, text: alike(world, [`${answer.status}`, ...shown, pretty(answer.text)].join('\n')) }
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
      // The names of comments: the moment in which they were written, and two characters.
      .replace(/\bm[0-9a-z]{7}[0-9A-Za-z]{2}\b/g, '<comment>')
      // After these: thirteen digits may stand in the middle of a digest.
      .replace(/(?<!\d)1[6-9]\d{11}(?!\d)/g, '<millis>')
  )
}
