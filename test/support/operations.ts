import type { TestServer } from '../../src/testing.ts'

export interface OperationBody {
  readonly input?: unknown
  readonly params?: object
  readonly context?: object
}

/** Calls operations as clients do, with an answer that still has its status. */
export function operationsOn(server: TestServer, user = 'Administrator') {
  return (id: string, body: OperationBody = {}, headers: { [name: string]: string } = {}) =>
    server.as(user).post(`/automation/${encodeURIComponent(id)}`, body, headers)
}
