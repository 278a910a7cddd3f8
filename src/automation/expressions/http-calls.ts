import { stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { isWriting } from '../../core/access.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import { callServer, type ServerCall } from '../../core/outgoing/call-server.ts'
import { networkRulesOf } from '../../core/outgoing/network-rules.ts'
import type { OperationContext } from '../context.ts'
import type { FlowingBlob } from '../values/flowing-blob.ts'
import { jsonOfValue } from '../values/read-sent-properties.ts'
import { nothing, type Value, type ValueOf } from '../values/value.ts'
import { type HostObject, type Operand, plainValue, type Reply, textOf } from './operand.ts'

export const calledInTransaction = defineProblem(
  'calledInTransaction',
  'invalid',
  (_: object) =>
    'HTTP waits for another server, and nothing may wait for that with a transaction open. ' +
    'Call it in a step that reads, such as Context.SetVar, before the first step that writes.',
)

// Each may take as long as it may, and this many are nobody's one call.
const maxCalls = 50
const maxUrlLength = 8_192
const maxHeaders = 50

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
/** What says where a message ends, and to whom it is. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
])

/** `HTTP`, for those who write chains and scripts, and for nobody's condition or template (contract: operations 1.12). */
export function createHttp(context: OperationContext): HostObject {
  const reply = (call: ServerCall): Reply => ask(context, call).then((blob) => ({ kind: 'blob', blob }))
  return {
    kind: 'host',
    name: 'HTTP',
    value: nothing,
    member: () => undefined,
    call(name, given) {
      const asked = name === 'call' ? readCall(given) : readShortCall(name.toUpperCase(), given)
      return asked && reply(asked)
    },
  }
}

/** @throws calledInTransaction, RangeError, what `callServer` throws */
async function ask(context: OperationContext, call: ServerCall): Promise<FlowingBlob> {
  const { outgoing, budget } = context
  const asked = stringifyJson([call.method, call.url.href, { ...call.headers }, call.body ?? null])
  const before = outgoing.findAnswer(asked)
  if (before !== undefined) return before
  if (isWriting(context.session)) throw calledInTransaction({})
  if (outgoing.count >= maxCalls) throw new RangeError(`HTTP can be called ${maxCalls} times at most`)
  const answer = await budget.apart(() => fetchAnswer(context, call))
  outgoing.note(asked, answer)
  return answer
}

async function fetchAnswer({ session, services, host }: OperationContext, call: ServerCall): Promise<FlowingBlob> {
  const { httpMillis: millis } = services.automation
  const { maxBytes } = services.uploads.rules
  const limits = { millis, maxBytes, signal: host.signal, trace: services.tracer.current() }
  const { content, mimeType, contentDisposition } = await callServer(call, networkRulesOf(services), limits)
  const stored = await session.repository.blobs.write(content)
  const name = fileNameIn(contentDisposition, call.url)
  return { blob: await inspectBlob(session.repository, { ...stored, name, 'mime-type': mimeType, encoding: null }) }
}

/** As the other server says, or else the last part of the address. */
function fileNameIn(disposition: string | undefined, { pathname }: URL): string | null {
  const said = /\bfilename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]
  return said?.split(/[\\/]/).at(-1) ?? (pathname.split('/').findLast((part) => part !== '') || null)
}

/** `call(user, password, method, url[, data][, headers])` */
function readCall([user, password, method, url, ...more]: readonly Operand[]): ServerCall | undefined {
  if (user === undefined || password === undefined || method === undefined || url === undefined) return undefined
  const [data, headers] = more.length === 1 && isMap(more[0]) ? [undefined, more[0]] : more
  const name = textOf(method).toUpperCase()
  if (!methods.has(name)) throw new RangeError(`HTTP calls with ${[...methods].join(', ')}, and not with ${name.slice(0, 20)}`)
  const authorization = textOf(user) === '' ? {} : basic(textOf(user), textOf(password))
  return { ...toSend(name, url, data), headers: { ...authorization, ...readHeaders(data, headers) } }
}

/** `get(url[, options])`, `delete(url[, data][, options])`, `post(url[, data][, options])` and `put` alike. */
function readShortCall(method: string, [url, ...more]: readonly Operand[]): ServerCall | undefined {
  if (url === undefined || method === 'HEAD' || !methods.has(method)) return undefined
  const hasNoData = method === 'GET' || (method === 'DELETE' && more.length === 1 && isMap(more[0]))
  const [data, options] = hasNoData ? [undefined, more[0]] : more
  const { headers, auth, params } = membersOf(options)
  const call = toSend(method, url, data)
  for (const [name, value] of Object.entries(membersOf(params))) {
    for (const one of value?.kind === 'list' ? value.items : [value ?? nothing]) call.url.searchParams.append(name, textOf(one))
  }
  return { ...call, headers: { ...readAuthorization(auth), ...readHeaders(data, headers) } }
}

function toSend(method: string, url: Operand, data: Operand | undefined): Omit<ServerCall, 'headers'> {
  const text = textOf(url)
  const parsed = text.length > maxUrlLength ? null : URL.parse(text)
  if (parsed === null) throw new RangeError(`HTTP needs an address of at most ${maxUrlLength} characters`)
  return { method, url: parsed, body: readBody(data) }
}

/** A list and a map are sent as JSON. */
function readBody(data: Operand | undefined): string | undefined {
  if (data === undefined) return undefined
  const value = plainValue(data)
  if (value.kind === 'nothing') return undefined
  if (value.kind === 'blob' || value.kind === 'blobs') throw new RangeError('HTTP sends no files: Blob.PostToURL does')
  if (value.kind !== 'list' && value.kind !== 'map') return textOf(value)
  const json = jsonOfValue(value)
  if (json === undefined) throw new RangeError('HTTP sends texts, and lists and maps of them')
  return stringifyJson(json)
}

function readAuthorization(auth: Value | undefined): ServerCall['headers'] {
  if (auth === undefined || auth.kind === 'nothing') return {}
  const { method, username, password } = membersOf(auth)
  if (method !== undefined && textOf(method) !== 'basic') throw new RangeError("HTTP knows no authentication but 'basic'")
  return basic(textOf(username ?? nothing), textOf(password ?? nothing))
}

function basic(user: string, password: string): ServerCall['headers'] {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** With what the body is, where the script does not say so. */
function readHeaders(data: Operand | undefined, given: Operand | undefined): ServerCall['headers'] {
  const entries = Object.entries(membersOf(given))
  if (entries.length > maxHeaders) throw new RangeError(`HTTP sends ${maxHeaders} headers at most`)
  const headers = entries.map(([name, value]) => readHeader(name.toLowerCase(), textOf(value ?? nothing)))
  const kind = data === undefined ? 'nothing' : plainValue(data).kind
  const type = kind === 'list' || kind === 'map' ? 'application/json' : 'text/plain; charset=utf-8'
  return { 'user-agent': 'Quire', ...(kind !== 'nothing' && { 'content-type': type }), ...Object.fromEntries(headers) }
}

function readHeader(name: string, value: string): readonly [name: string, value: string] {
  if (!/^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name) || ownHeaders.has(name) || name.startsWith('proxy-'))
    throw new RangeError(`HTTP does not send a header ${name.slice(0, 50)}`)
  if (!/^[\x20-\x7e\t]{0,8192}$/.test(value)) throw new RangeError(`the header ${name} has characters that cannot be sent`)
  return [name, value]
}

function isMap(operand: Operand | undefined): boolean {
  return operand !== undefined && plainValue(operand).kind === 'map'
}

function membersOf(operand: Operand | undefined): Partial<ValueOf<'map'>['members']> {
  const value = operand === undefined ? nothing : plainValue(operand)
  if (value.kind === 'nothing') return {}
  if (value.kind !== 'map') throw new RangeError('HTTP takes its options and headers as maps')
  return value.members
}
