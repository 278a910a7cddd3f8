import type { CallEnvironment } from '../../automation/run/state.ts'
import type { EarlierBlobs } from '../payload/sent-blobs.ts'
import type { Sender } from '../request/exchange.ts'
import { createOperationHost } from './operation-host.ts'

/** What there is where operations run that no request waits for. */
export interface Background extends Pick<CallEnvironment, 'access' | 'budget'>, Pick<Sender, 'services'> {
  /** The base URL of links for the user who asked for the work. */
  readonly baseUrl: string
  /** What they said beside it. */
  readonly headers?: { readonly [name: string]: string }
  /** Files that they brought along. */
  readonly staged?: EarlierBlobs
}

/** There is no client to go away; uploaded files that it uses stay until they expire. */
export function backgroundEnvironment({ baseUrl, headers = {}, staged, ...background }: Background): CallEnvironment {
  const request = { headers, baseUrl, signal: new AbortController().signal }
  const {
    access: { principal, repository },
    services,
  } = background
  const host = createOperationHost({ principal, repository, services, request, atEnd: () => undefined }, staged)
  return { ...background, operations: services.operations, host }
}
