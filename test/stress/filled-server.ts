import { openStoreAt } from '../faults/subtree/open-place.ts'
import { fillLibrary } from '../search/library.ts'
import type { DatabasePlace } from '../support/database-place.ts'
import type { Program } from '../support/program.ts'
import { startServerProgram, stopProgram } from '../support/server-programs.ts'

/** A server with many documents, for as long as the body needs it. */
export interface FilledServer {
  readonly ids: readonly string[]
  readonly url: string
  readonly processId: number
  /** The one whose family all processes of the server are. */
  readonly startedId: number
  call(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: string }>
  /** Reads the next of the documents; those one after the other lie far apart. */
  lookUp(): Promise<void>
}

export async function onFilledServer<Result>(
  place: DatabasePlace,
  documents: number,
  flags: readonly string[],
  body: (server: FilledServer) => Promise<Result>,
): Promise<Result> {
  const program = await startServerProgram(place, flags)
  try {
    return await body(filledServer(program, await fill(place, documents)))
  } finally {
    await stopProgram(program)
  }
}

/** A connection that was idle may be closed in the moment in which it is used: a server that is gone refuses twice. */
export async function fetchOnceMore(url: string, request: RequestInit): Promise<Response> {
  return await fetch(url, request).catch(() => fetch(url, request))
}

function filledServer({ url, processId, startedId }: Program, ids: readonly string[]): FilledServer {
  let next = 0
  const call: FilledServer['call'] = async (method, path, body, headers) => {
    const authorization = `Basic ${btoa('Administrator:Administrator')}`
    const response = await fetchOnceMore(`${url}api/v1${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.text() }
  }
  return {
    ids,
    url,
    processId,
    startedId,
    call,
    async lookUp() {
      next = (next + 7919) % ids.length
      const { status } = await call('GET', `/id/${ids[next]}`)
      if (status !== 200) throw new Error(`A look-up was answered with ${status}.`)
    },
  }
}

async function fill(place: DatabasePlace, documents: number): Promise<readonly string[]> {
  const store = await openStoreAt(place)
  try {
    const parent = await store.reader.documents.findByPath('/default-domain/workspaces')
    if (parent === undefined) throw new Error('There is nowhere to put a library.')
    return (await fillLibrary(store, parent, documents)).items.map(({ id }) => id)
  } finally {
    await store.close()
  }
}
