import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { EngineRefusal, illegal, notFound } from './opensearch/refusal.ts'
import { answerSearch, countMatches } from './opensearch/search-body.ts'
import { StoredIndex } from './opensearch/stored-index.ts'

/** A request as a test sees it, before it is carried out. */
export interface EngineRequest {
  /** `SEARCH`, `BULK`, `CREATE`, `REFRESH` … */
  readonly operation: string
  readonly path: string
  readonly body: string
}

export interface OpenSearchServer {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly indexes: ReadonlyMap<string, StoredIndex>
  /** How often each operation was asked for. */
  readonly seen: Map<string, number>
  /** Has a request wait, or refuses it with what is thrown; undefined ends that. A promise that never settles is a server that hangs. */
  intercept(interceptor: ((request: EngineRequest) => Promise<void> | void) | undefined): void
  /** Everything that was sent is found. */
  refresh(): void
  /** Loses all that it has. */
  wipe(): void
  stop(): Promise<void>
}

/**
 * A stand-in for OpenSearch, as far as the server uses it, written after its documentation: no real one can be had where the tests run.
 * What it does not know it refuses, so that nothing passes for answered that was ignored.
 */
export async function startOpenSearchServer(): Promise<OpenSearchServer> {
  const indexes = new Map<string, StoredIndex>()
  const aliases = new Map<string, string>()
  const seen = new Map<string, number>()
  const [user, password] = ['quire', 'engine secret']
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  let interceptor: ((request: EngineRequest) => Promise<void> | void) | undefined

  function indexOf(name: string): StoredIndex {
    const index = indexes.get(name)
    if (index === undefined) throw notFound(name)
    return index
  }

  function bulk(lines: string, requiresAlias: boolean): object {
    if (!lines.endsWith('\n')) throw illegal('The bulk request must be terminated by a newline [\\n]')
    const rows = lines.slice(0, -1).split('\n')
    const items: object[] = []
    for (let at = 0; at < rows.length; at += 1) {
      const [[kind, about] = ['', {}]] = Object.entries(JSON.parse(rows[at] ?? '') as Record<string, Line>)
      const source = kind === 'index' ? (JSON.parse(rows[++at] ?? '') as Record<string, unknown>) : undefined
      items.push({ [kind]: carryOut(kind, about as Line, source, requiresAlias) })
    }
    return { took: 1, errors: items.some((item) => 'error' in (Object.values(item)[0] ?? {})), items }
  }

  interface Line {
    readonly _index: string
    readonly _id: string
    readonly version: number
    readonly version_type: string
  }

  function carryOut(kind: string, line: Line, source: Record<string, unknown> | undefined, requiresAlias: boolean): object {
    const { _index: name, _id, version, version_type: versionType } = line
    try {
      const target = aliases.get(name)
      if (requiresAlias && target === undefined) throw notFound(name)
      if (versionType !== 'external') throw illegal('the stand-in knows external versions only')
      const index = indexOf(target ?? name)
      if (source !== undefined) {
        const isNew = index.get(_id) === undefined
        index.put(_id, version, source)
        return { _index: index.name, _id, _version: version, result: isNew ? 'created' : 'updated', status: isNew ? 201 : 200 }
      }
      if (kind !== 'delete') throw illegal(`Malformed action/metadata line, expected one of [index, delete] but found [${kind}]`)
      const wasThere = index.remove(_id, version)
      return {
        _index: index.name,
        _id,
        _version: version,
        result: wasThere ? 'deleted' : 'not_found',
        status: wasThere ? 200 : 404,
      }
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error
      return { _index: name, _id, status: error.status, error: { type: error.type, reason: error.message } }
    }
  }

  function create(name: string, body: Record<string, unknown>): object {
    if (indexes.has(name)) throw new EngineRefusal(400, 'resource_already_exists_exception', `index [${name}] already exists`)
    indexes.set(name, new StoredIndex(name, body))
    for (const alias of Object.keys((body['aliases'] ?? {}) as object)) aliases.set(alias, name)
    return { acknowledged: true, shards_acknowledged: true, index: name }
  }

  function remove(name: string): object {
    indexOf(name)
    indexes.delete(name)
    for (const [alias, target] of aliases) if (target === name) aliases.delete(alias)
    return { acknowledged: true }
  }

  function operationOf(method: string, path: string): string {
    const [, index = '', action = ''] = path.split('/')
    if (index === '') return 'PING'
    if (index === '_bulk') return 'BULK'
    if (action === '') return { PUT: 'CREATE', DELETE: 'DELETE', HEAD: 'EXISTS' }[method] ?? 'UNKNOWN'
    return { _search: 'SEARCH', _count: 'COUNT', _refresh: 'REFRESH', _doc: 'GET' }[action] ?? 'UNKNOWN'
  }

  function answer(operation: string, url: URL, body: string): object | undefined {
    const [, name = '', , id = ''] = url.pathname.split('/')
    const json = () => JSON.parse(body === '' ? '{}' : body) as Record<string, unknown>
    switch (operation) {
      case 'PING':
        return { version: { distribution: 'opensearch', number: '3.3.0' } }
      case 'BULK':
        return bulk(body, url.searchParams.get('require_alias') === 'true')
      case 'CREATE':
        return create(name, json())
      case 'DELETE':
        return remove(name)
      case 'EXISTS':
        indexOf(name)
        return undefined
      case 'SEARCH':
        return answerSearch(indexOf(name), json())
      case 'COUNT':
        return { count: countMatches(indexOf(name), json()), _shards: { total: 1, successful: 1, skipped: 0, failed: 0 } }
      case 'REFRESH':
        indexOf(name).refresh()
        return { _shards: { total: 1, successful: 1, failed: 0 } }
      case 'GET': {
        const found = indexOf(name).get(decodeURIComponent(id))
        if (found === undefined) throw new EngineRefusal(404, 'not_found', 'no such document')
        return { _index: name, _id: found.id, _version: found.version, found: true, _source: found.source }
      }
      default:
        throw illegal(`the stand-in does not know ${url.pathname}`)
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://engine')
    const body = await text(request)
    const operation = operationOf(request.method ?? '', url.pathname)
    seen.set(operation, (seen.get(operation) ?? 0) + 1)
    const send = (status: number, told?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(told && JSON.stringify(told))
    try {
      if (request.headers.authorization !== authorization) throw new EngineRefusal(401, 'security_exception', 'Unauthorized')
      await interceptor?.({ operation, path: url.pathname, body })
      send(200, answer(operation, url, body))
    } catch (error) {
      if (error instanceof EngineRefusal) send(error.status, error.body())
      else send(500, { error: { type: 'exception', reason: String(error) }, status: 500 })
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user,
    password,
    indexes,
    seen,
    intercept(next) {
      interceptor = next
    },
    refresh() {
      for (const index of indexes.values()) index.refresh()
    },
    wipe() {
      indexes.clear()
      aliases.clear()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
