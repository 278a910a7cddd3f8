import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

/** The door as pages of figures use it, whose elements send an aggregation named `by` in another and show what is in the last. */
export function figuresOn(server: TestServer) {
  const tryTo = (index: string, body: unknown, user = 'Administrator', more = ''): Promise<ApiAnswer> =>
    server.as(user).call('POST', `site/es/${index}/_search${more}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const search = async (index: string, body: unknown, user?: string): Promise<Answered> =>
    requireStatus(200, await tryTo(index, body, user))
  return {
    tryTo,
    search,
    /** What such a page shows. */
    shown: async (index: string, body: unknown, user?: string): Promise<Answered> =>
      unwrapped((await search(index, body, user)).aggregations),
  }
}

/** As the published elements take the answer apart. */
function unwrapped(bucket: Answered): Answered {
  const key = bucket.key_as_string || bucket.key
  const value = bucket.by ? bucket.by.buckets.map(unwrapped) : (bucket.metrics?.value ?? bucket.doc_count)
  return key === undefined ? value : { key, value }
}

/** The keys and values on one line: `Note 2, File 1`, and what is in them in brackets. */
export function told(value: Answered): string {
  if (!Array.isArray(value)) return String(value)
  return value.map((one: Answered) => `${one.key} ${Array.isArray(one.value) ? `(${told(one.value)})` : one.value}`).join(', ')
}
