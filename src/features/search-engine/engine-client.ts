import type { Connection as ConnectionClass } from '@opensearch-project/opensearch'
import { isJsonObject, type Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'

export interface EngineAddress {
  readonly url: string
  readonly user: string | undefined
  readonly password: string | undefined
}

/** What became of one line of a bulk request. */
export interface BulkOutcome {
  readonly id: string
  readonly status: number
  /** Absent where there was nothing to do: a document that is not there was to be removed. */
  readonly reason?: string
}

export interface EngineHits {
  readonly ids: readonly string[]
  readonly total: number
}

/** What is asked of OpenSearch, and nothing else. Each call fails when the engine does not answer in time, or otherwise than expected. */
export interface EngineClient {
  ping(): Promise<void>
  /** With an alias that it is written to by: a name alone would make an index of its own kind where there is none. */
  createIndex(name: string, body: object): Promise<void>
  hasIndex(name: string): Promise<boolean>
  /** Nothing where there is none. */
  deleteIndex(name: string): Promise<void>
  /** Whatever was sent before is found from here on. */
  refresh(name: string): Promise<void>
  /** Undefined where there is no such document, or no such index. */
  findSource(index: string, id: string): Promise<Json | undefined>
  /** Lines of JSON, each with its end, about indexes by their aliases. Gives what became of those that did not succeed. */
  bulk(lines: string): Promise<readonly BulkOutcome[]>
  /** @throws indexMissing */
  search(index: string, body: object): Promise<EngineHits>
  close(): Promise<void>
}

export const indexMissing = defineProblem(
  'indexMissing',
  'unavailable',
  (of: { index: string }) => `The search engine has no index ${of.index}.`,
)

const unexpectedAnswer = defineProblem(
  'unexpectedAnswer',
  'badGateway',
  (of: { what: string }) => `The search engine has answered otherwise than expected: ${of.what}`,
)

export const writeAlias = (index: string) => `${index}-write`

interface ClientTimes {
  readonly searchMilliseconds: number
}

// Making an index, or storing a large request, may take longer than anybody waits for a search.
const writeMilliseconds = 30_000
const pingMilliseconds = 3_000
/** Answers have ids and numbers alone: 10,000 of them take less than a megabyte. */
const largestAnswer = 16_000_000
const mostSockets = 16

/** The library is loaded when it is first needed: servers without an engine start without it. */
export async function openEngineClient(address: EngineAddress, { searchMilliseconds }: ClientTimes): Promise<EngineClient> {
  const { Client, Connection } = await import('@opensearch-project/opensearch')
  const { url, user: username, password } = address
  const client = new Client({
    node: url,
    ...(username !== undefined && password !== undefined && { auth: { username, password } }),
    // Whoever waits has the database to ask.
    maxRetries: 0,
    requestTimeout: writeMilliseconds,
    agent: { maxSockets: mostSockets },
    Connection: boundedConnection(Connection),
  })

  interface Wish {
    readonly method: string
    readonly path: string
    readonly body?: object
    readonly bulkBody?: string
    readonly querystring?: Readonly<Record<string, string>>
    readonly milliseconds?: number
  }

  async function ask({ milliseconds = writeMilliseconds, ...wish }: Wish): Promise<{ status: number; body: Json }> {
    const params = wish as Parameters<typeof client.transport.request>[0]
    // What 404 means is said by who asks.
    const { statusCode, body } = await client.transport.request(params, { requestTimeout: milliseconds, ignore: [404] })
    return { status: statusCode ?? 0, body: (body ?? null) as Json }
  }

  return {
    async ping() {
      const { status } = await ask({ method: 'GET', path: '/', milliseconds: pingMilliseconds })
      if (status !== 200) throw unexpectedAnswer({ what: `${status} to a ping` })
    },
    async createIndex(name, body) {
      const aliased = { ...body, aliases: { [writeAlias(name)]: {} } }
      const { status } = await ask({ method: 'PUT', path: `/${name}`, body: aliased })
      if (status !== 200) throw unexpectedAnswer({ what: `${status} to a new index` })
    },
    hasIndex: async (name) => (await ask({ method: 'HEAD', path: `/${name}` })).status === 200,
    async deleteIndex(name) {
      await ask({ method: 'DELETE', path: `/${name}` })
    },
    async refresh(name) {
      const { status } = await ask({ method: 'POST', path: `/${name}/_refresh` })
      if (status === 404) throw indexMissing({ index: name })
    },
    async findSource(index, id) {
      const { status, body } = await ask({ method: 'GET', path: `/${index}/_doc/${encodeURIComponent(id)}` })
      return status === 200 && isJsonObject(body) ? body['_source'] : undefined
    },
    bulk: async (lines) =>
      outcomesIn((await ask({ method: 'POST', path: '/_bulk', bulkBody: lines, querystring: { require_alias: 'true' } })).body),
    async search(index, body) {
      const { status, body: answer } = await ask({
        method: 'POST',
        path: `/${index}/_search`,
        body,
        milliseconds: searchMilliseconds,
      })
      if (status === 404) throw indexMissing({ index })
      return hitsIn(answer)
    },
    close: () => client.close(),
  }
}

/** Whatever is at the address, its answers do not fill the memory. */
function boundedConnection(Connection: typeof ConnectionClass): typeof ConnectionClass {
  return class BoundedConnection extends Connection {
    override request(...[params, callback]: Parameters<ConnectionClass['request']>): ReturnType<ConnectionClass['request']> {
      return super.request(params, (error, response) => {
        let bytes = 0
        response?.on('data', (chunk: Buffer | string) => {
          bytes += chunk.length
          if (bytes > largestAnswer) response.destroy(new Error(`The search engine sends more than ${largestAnswer} bytes.`))
        })
        callback(error, response)
      })
    }
  }
}

const lineKinds = ['index', 'delete'] as const

function outcomesIn(body: Json): readonly BulkOutcome[] {
  const items = isJsonObject(body) ? body['items'] : undefined
  if (!Array.isArray(items)) throw unexpectedAnswer({ what: 'a bulk without items' })
  return items.flatMap((item) => {
    const [line] = lineKinds.flatMap((kind) => (isJsonObject(item) && isJsonObject(item[kind]) ? [item[kind]] : []))
    const { _id: id, status, error } = line ?? {}
    if (typeof id !== 'string' || typeof status !== 'number') throw unexpectedAnswer({ what: 'a line without a status' })
    const reason = error === undefined ? undefined : JSON.stringify(error).slice(0, longestReason)
    return status < 300 ? [] : [{ id, status, ...(reason !== undefined && { reason }) }]
  })
}

const longestReason = 500

/** An answer of some shards alone, or one that was stopped, would pass for the whole. */
function hitsIn(body: Json): EngineHits {
  const { timed_out: isCut, _shards: shards, hits } = isJsonObject(body) ? body : {}
  const failed = isJsonObject(shards) ? shards['failed'] : undefined
  if (isCut !== false || failed !== 0 || !isJsonObject(hits)) throw unexpectedAnswer({ what: 'a search that is not whole' })
  const { total, hits: list } = hits
  const count = isJsonObject(total) ? total['value'] : undefined
  if (typeof count !== 'number' || !Array.isArray(list)) throw unexpectedAnswer({ what: 'a search without a total' })
  const ids = list.map((hit) => (isJsonObject(hit) ? hit['_id'] : undefined)).filter((id) => typeof id === 'string')
  if (ids.length < list.length) throw unexpectedAnswer({ what: 'a hit without an id' })
  return { ids, total: count }
}
