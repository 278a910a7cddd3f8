import assert from 'node:assert/strict'
import type { ApiAnswer, ApiCaller, TestServer } from '../../src/testing.ts'

/** What a server with this vendor must not say. The second word of the original's `org.….ecm.platform.query` is no vendor's. */
export function foreignWordOf(vendor: string): RegExp {
  return vendor === 'platform' ? /nuxeo/i : /(?<!ecm\.)platform/i
}

/** The first foreign word that is said in an answer, with what stands around it. */
export function findForeignWord(vendor: string, { text, headers }: Pick<ApiAnswer, 'text' | 'headers'>): string | undefined {
  const said = `${[...headers].map((header) => header.join(': ')).join('\n')}\n\n${text}`
  const at = said.search(foreignWordOf(vendor))
  return at < 0 ? undefined : said.slice(Math.max(0, at - 60), at + 60)
}

/**
 * The server, whose every answer to a caller is looked at: it says no word of another vendor, unless the request itself did, and a
 * refusal says why.
 */
export function heeding(server: TestServer, vendor: string): TestServer {
  const heed = (caller: ApiCaller): ApiCaller =>
    new Proxy(caller, {
      get(target, method: keyof ApiCaller) {
        const call = target[method] as (...sent: readonly unknown[]) => Promise<ApiAnswer>
        return async (...sent: readonly unknown[]) => {
          const answer = await call(...sent)
          const what = `${method} ${String(sent[0])}`
          if (sent[0] !== 'HEAD') requireReason(what, answer)
          requireOwnWords(what, vendor, sent, answer)
          return answer
        }
      },
    })
  return { ...server, as: (user) => heed(server.as(user)) }
}

function requireReason(what: string, { status, text, body }: ApiAnswer): void {
  if (status < 400) return
  const reason = body?.['entity-type'] === 'exception' ? body.message : text
  assert.ok(typeof reason === 'string' && reason.trim() !== '', `${what} is refused with ${status} and no reason: ${text}`)
}

/** What is in files may be anybody's words. */
function requireOwnWords(what: string, vendor: string, sent: readonly unknown[], answer: ApiAnswer): void {
  if (answer.status < 400 && answer.headers.get('content-type')?.startsWith('application/json') !== true) return
  const found = findForeignWord(vendor, answer)
  // What was sent is looked at last: it may be megabytes, and hardly any answer asks for it.
  if (found === undefined || sent.some((part) => foreignWordOf(vendor).test(wordsIn(part)))) return
  assert.fail(`${what} says a word of another vendor: …${found}…`)
}

/** What was sent, bytes as what they are: as JSON each of them is a number, and 16 MB of these held up the process for ten seconds. */
function wordsIn(sent: unknown): string {
  if (sent instanceof Uint8Array) return Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength).toString('latin1')
  if (!isRequest(sent)) return JSON.stringify(sent, safely) ?? ''
  const { body, ...others } = sent
  return `${wordsIn(others)}\n${wordsIn(body)}`
}

function isRequest(sent: unknown): sent is { readonly body: Uint8Array } {
  return typeof sent === 'object' && sent !== null && 'body' in sent && sent.body instanceof Uint8Array
}

function safely(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
