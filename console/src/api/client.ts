import { defineWordsOfPage } from '../words/words.ts'
import type { components } from './entities.ts'

/** Where the server is mounted: the console is at `ui/` below it. */
const root = new URL('../', document.baseURI)

const say = defineWordsOfPage(
  { offline: 'The server does not answer. Check the network, then try again.' },
  { offline: 'Le serveur ne répond pas. Vérifiez le réseau, puis réessayez.' },
)

/** The sentence with which the server refused something, or that nothing answered. */
export class Problem extends Error {
  readonly status: number
  /** What is wrong with each value that was sent, by xpath. */
  readonly mistakes: { readonly [xpath: string]: string } | undefined
  /** The server asks to come again: what was sent is right. */
  readonly isForNow: boolean
  constructor(status: number, message: string, mistakes?: { readonly [xpath: string]: string }, isForNow = false) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.mistakes = mistakes
    this.isForNow = isForNow
  }
  /** Nothing answered: the network or the server is away. */
  get isOffline(): boolean {
    return this.status === 0
  }
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** A list is sent as its items, each with the name. */
  readonly query?: { readonly [name: string]: string | number | boolean | readonly string[] | undefined }
  readonly headers?: { readonly [name: string]: string }
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as they are. */
  readonly bytes?: Blob
  readonly signal?: AbortSignal
  /** What is sent proves something by itself: 401 is a mistake in it, and not the end of the session. */
  readonly isProof?: boolean
}

/** An address of the server, also for links and pictures. */
export function addressOf(path: string, query: Call['query'] = {}): string {
  const url = new URL(path, root)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  return url.href
}

/** @throws Problem */
export async function call<Result>(path: string, request: Call = {}): Promise<Result> {
  const response = await ask(path, { ...request, headers: { Accept: 'application/json', ...request.headers } })
  const text = await response.text()
  // What has nothing to say is empty; a token comes as it is.
  if (text === '') return undefined as Result
  const isJson = response.headers.get('Content-Type')?.includes('json') ?? false
  return (isJson ? JSON.parse(text) : text) as Result
}

/** Makes sure that the server has a console. @throws Problem */
export async function requireConsole(): Promise<void> {
  const response = await send(document.baseURI, { method: 'HEAD', cache: 'no-store' })
  if (!response.ok) throw await problemOf(response)
}

/** What an operation makes that is no entity, such as an archive. @throws Problem */
export async function fetchFile(path: string, request: Call = {}): Promise<Blob> {
  return await (await ask(path, request)).blob()
}

async function ask(path: string, { query, json, bytes, headers, isProof = false, ...init }: Call): Promise<Response> {
  const response = await send(addressOf(`api/v1/${path}`, query), {
    ...init,
    headers: { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(bytes !== undefined && { body: bytes }),
  })
  if (response.status === 401 && !isProof) signInAgain()
  if (!response.ok) throw await problemOf(response)
  return response
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem(0, say('offline'))
  }
}

/** Programs know some refusals by a key before the sentence. */
const keyOfSentence = /^.*\blabel\.\w+\.\w+: /

type Report = components['schemas']['ValidationReport']

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  const isForNow = response.headers.has('Retry-After')
  try {
    const { message, violations } = JSON.parse(text) as { message?: unknown; violations?: Report['violations'] }
    if (violations !== undefined) {
      const mistakes = Object.fromEntries(violations.map((violation) => [violation.path[0]?.field_name ?? '', violation.message]))
      return new Problem(response.status, violations.map((violation) => violation.message).join(' '), mistakes)
    }
    if (typeof message === 'string' && message !== '')
      return new Problem(response.status, message.replace(keyOfSentence, ''), undefined, isForNow)
  } catch {
    // Not from the server itself, such as the page of a proxy.
  }
  return new Problem(response.status, `${response.status} ${response.statusText}`.trim(), undefined, isForNow)
}

/** The beginning of a text file. @throws Problem */
export async function fetchText(url: string, longest: number, signal: AbortSignal): Promise<{ text: string; isCut: boolean }> {
  const response = await send(url, { signal, headers: { Range: `bytes=0-${longest - 1}` } })
  if (response.status === 401) signInAgain()
  if (!response.ok) throw await problemOf(response)
  const total = Number(response.headers.get('Content-Range')?.split('/')[1] ?? 0)
  return { text: await response.text(), isCut: total > longest }
}

/** A segment of a path of documents, in an address. */
export function encodePath(path: string): string {
  return path.split('/').filter(Boolean).map(encodeURIComponent).join('/')
}

let isSigningOut = false
let isLedToSignIn = false
const secondsToStay = 10

/** Leads to the sign-in page, and back to where one is. */
export function signInAgain(): void {
  // What was asked meanwhile is refused, and leads nobody back to what they leave.
  if (isSigningOut || isLedToSignIn) return
  // Who has typed something may stay for it, and is not asked by each request that is refused meanwhile.
  isLedToSignIn = true
  setTimeout(() => {
    isLedToSignIn = false
  }, secondsToStay * 1_000)
  const here = location.href.slice(root.href.length)
  location.assign(addressOf('login.jsp', { requestedUrl: here }))
}

export function signOut(): void {
  isSigningOut = true
  location.assign(addressOf('logout'))
}
