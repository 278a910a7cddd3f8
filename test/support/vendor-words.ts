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

/** The server, whose every answer to a caller is looked through for a foreign word, unless the request itself said it. */
export function heedingWords(server: TestServer, vendor: string): TestServer {
  const saysIt = (sent: readonly unknown[]) => foreignWordOf(vendor).test(JSON.stringify(sent, safely))
  const heed = (caller: ApiCaller): ApiCaller =>
    new Proxy(caller, {
      get(target, method: keyof ApiCaller) {
        const call = target[method] as (...sent: readonly unknown[]) => Promise<ApiAnswer>
        return async (...sent: readonly unknown[]) => {
          const answer = await call(...sent)
          // What was sent before may be said later: only texts of the server's own are looked at.
          if (answer.status < 400 && answer.headers.get('content-type')?.startsWith('application/json') !== true) return answer
          const found = saysIt(sent) ? undefined : findForeignWord(vendor, answer)
          assert.equal(found, undefined, `${method} ${String(sent[0])} says a word of another vendor: …${found}…`)
          return answer
        }
      },
    })
  return { ...server, as: (user) => heed(server.as(user)) }
}

function safely(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
