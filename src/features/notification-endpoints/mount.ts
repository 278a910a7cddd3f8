import type { Json } from '../../base/json.ts'
import type { Answer } from '../../rest/answer.ts'
import { malformedJson, parseJsonBytes } from '../../rest/render/json-bytes.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import type { Route } from '../../rest/route.ts'
import { invalid, notJson, refuse, writeComputeError } from './compute-problems.ts'
import { type KnownFields, maskFields } from './field-mask.ts'
import { isJsonObject, type JsonFields, type Spelling, spell } from './spelling.ts'

/** One of the two places that the API is served at (contract: notification-endpoint 1): both show the same endpoints. */
export interface Mount {
  readonly under: Route['under']
  /** What the paths of its routes begin with. */
  readonly prefix: string
  /** Below the server's own address: what its links begin with. */
  readonly base: string
  readonly spelling: Spelling
  /** An empty list is shown as one, where others leave it out. */
  readonly showsEmptyItems: boolean
  /** Tells its calls from those of the other mount in generated clients. */
  readonly callPrefix: string
}

export const mounts: readonly Mount[] = [
  {
    under: 'server',
    prefix: '/compute/v1',
    base: 'compute/v1',
    spelling: 'camel',
    showsEmptyItems: false,
    callPrefix: 'compute',
  },
  { under: 'api', prefix: '', base: 'api/v1', spelling: 'snake', showsEmptyItems: true, callPrefix: '' },
]

/** What all of its routes have in common. */
export function sharedBy({ under }: Mount): Pick<Route, 'under' | 'writeError'> {
  return { under, writeError: writeComputeError }
}

export function callName({ callPrefix }: Mount, name: string): string {
  return callPrefix === '' ? name : `${callPrefix}${name[0]?.toUpperCase()}${name.slice(1)}`
}

export const refusals = { 400: 'not valid', 403: 'only administrators may', 404: 'there is no such resource or region' }

/** What every link of an answer begins with. */
export function linkBase({ base }: Mount, { baseUrl }: Pick<ApiRequest, 'baseUrl'>): string {
  return `${baseUrl}${base}`
}

/** How a client wants to be answered. */
export interface AnswerWishes {
  readonly fieldNames?: string | undefined
  readonly fields?: string | undefined
}

/** @throws faultyRequest where the client asks for fields or spellings that there are not */
export function answerSpelled(mount: Mount, wishes: AnswerWishes, body: JsonFields, known: KnownFields): Answer {
  const spelled = spell(maskFields(body, wishes.fields, known), spellingOf(mount, wishes.fieldNames))
  return { kind: 'text', status: 200, contentType: 'application/json; charset=UTF-8', text: JSON.stringify(spelled) }
}

function spellingOf(mount: Mount, fieldNames: string | undefined): Spelling {
  if (fieldNames === undefined) return mount.spelling
  if (fieldNames === 'camel' || fieldNames === 'snake') return fieldNames
  return refuse(invalid(`Invalid value for field 'fieldNames': '${fieldNames.slice(0, 50)}'. Use camel or snake.`, 'fieldNames'))
}

const maxBodyBytes = 64 * 1024
const jsonBounds = { maxValues: 1_000, maxMembers: 100, maxDepth: 20 }

/** The object that was sent. For routes that stream their body. @throws notJson, bodyTooLarge, faultyRequest */
export async function readObject(request: ApiRequest): Promise<JsonFields> {
  const contentType = String(request.headers['content-type'] ?? '')
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) throw notJson({ contentType })
  const bytes = Buffer.concat(await request.openBody({ maxBytes: maxBodyBytes }).toArray())
  const body = parseObject(bytes)
  return isJsonObject(body) ? body : refuse({ message: 'Parse Error: the body must be a JSON object.', reason: 'parseError' })
}

function parseObject(bytes: Buffer): Json {
  try {
    return parseJsonBytes(bytes, jsonBounds)
  } catch (error) {
    if (malformedJson.is(error)) return refuse({ message: `Parse Error: ${error.message}`, reason: 'parseError' })
    throw error
  }
}
