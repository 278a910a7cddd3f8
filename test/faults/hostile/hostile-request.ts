/** A request that must be refused, and the status that refuses it. `<name>` in path and body stands for the id of a fixture. */
export interface HostileRequest {
  readonly what: string
  readonly method: string
  /** Below the API's root, as it stands in the request line. */
  readonly path: string
  readonly headers: readonly string[]
  readonly body?: string | Uint8Array
  /** Whose credentials are sent; null for nobody's. */
  readonly user: string | null
  readonly status: number
}

type Options = Partial<Pick<HostileRequest, 'headers' | 'user' | 'body'>>

export const workspaces = '/path/default-domain/workspaces'
export const json = 'Content-Type: application/json'

export function request(what: string, method: string, path: string, status: number, options: Options = {}): HostileRequest {
  return { what, method, path, status, headers: [], user: 'Administrator', ...options }
}

/** A GET that finds nothing, or nothing it may have. */
export function getting(what: string, path: string, status: number, options: Options = {}): HostileRequest {
  return request(what, 'GET', path, status, options)
}

/** An attempt to create a document with this body. */
export function posting(what: string, body: string | Uint8Array, status = 400): HostileRequest {
  return request(what, 'POST', workspaces, status, { headers: [json], body })
}

/** An attempt to create a document with these properties. */
export function withProperties(what: string, properties: string, type = 'File'): HostileRequest {
  return posting(what, `{"entity-type":"document","type":"${type}","name":"hostile","properties":${properties}}`)
}

export function documentBody(fields: object): string {
  return JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'hostile', ...fields })
}
