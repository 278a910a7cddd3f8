import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

type Headers = { readonly [name: string]: string }
export type Parameters = { readonly [name: string]: string | readonly string[] }

/** Searches over REST as tests ask for them. */
export interface SearchBench {
  get(path: string, parameters?: Parameters, headers?: Headers, user?: string): Promise<ApiAnswer>
  /** The list, provided that there is one. */
  list(path: string, parameters?: Parameters, headers?: Headers, user?: string): Promise<Answered>
}

export function searchBenchOn(server: TestServer): SearchBench {
  const get: SearchBench['get'] = (path, parameters = {}, headers = {}, user = 'Administrator') =>
    server.as(user).get(`${path}${queryString(parameters)}`, headers)
  return { get, list: async (...asked) => requireStatus(200, await get(...asked)) }
}

function queryString(parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of typeof value === 'string' ? [value] : value) query.append(name, one)
  }
  return query.size === 0 ? '' : `?${query}`
}

export function titlesOf(list: Answered): readonly string[] {
  return list.entries.map((entry: { title: string }) => entry.title)
}
