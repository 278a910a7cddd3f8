import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { operationsOn } from './operations.ts'
import { assertRefused } from './sent-documents.ts'
import { type VersionBench, versionBenchOn } from './version-bench.ts'
import { type Answered, requireStatus } from './workbench.ts'

/** A writer may change what is shared and a reader read it, an owner may do everything, and a stranger nothing. */
export type Role = 'Administrator' | 'owner' | 'writer' | 'reader' | 'stranger'

type Headers = { readonly [name: string]: string }

/** Documents in a folder that several kinds of users share, and operations that they call. */
export interface OperationBench extends VersionBench {
  readonly shared: { readonly uid: string; readonly path: string }
  /** Calls an operation as the administrator, unless told, who is given what it gives. */
  run(operation: string, input?: unknown, params?: object, options?: { as?: Role; headers?: Headers }): Promise<Answered>
  /** The same with an answer that may be a refusal, or empty. */
  call(operation: string, input?: unknown, params?: object, options?: { as?: Role; headers?: Headers }): Promise<ApiAnswer>
  /** A File in the shared folder, unless told. */
  make(type?: string, properties?: object, options?: { parent?: string; name?: string; headers?: Headers }): Promise<Answered>
  /** The ids of what is in a folder, in its order. */
  listChildren(uid: string): Promise<readonly string[]>
  /** Whether there is such a document. */
  exists(uid: string): Promise<boolean>
}

export function operationBenchOn(server: TestServer): OperationBench {
  const bench = versionBenchOn(server)
  const shared = { uid: '', path: '' }
  before(async () => {
    for (const user of ['owner', 'writer', 'reader', 'stranger']) await server.addUser(user, ['members'])
    Object.assign(shared, await bench.create('Folder', {}, { name: 'shared' }))
    await bench.restrict(shared.uid, grant('owner', 'Everything'), grant('writer', 'ReadWrite'), grant('reader', 'Read'))
  })
  const call: OperationBench['call'] = (operation, input, params = {}, { as = 'Administrator', headers = {} } = {}) =>
    operationsOn(server, as)(operation, { params, ...(input !== undefined && { input }) }, headers)
  return {
    ...bench,
    shared,
    call,
    run: async (...asked) => requireStatus(200, await call(...asked)),
    make: (type = 'File', properties = {}, options = {}) => bench.create(type, properties, { parent: shared.path, ...options }),
    listChildren: (uid) => server.asSystem(({ tx }) => tx.documents.listChildIds(uid)),
    exists: (uid) => server.asSystem(async ({ tx }) => (await tx.documents.find(uid)) !== undefined),
  }
}

/** A call that is refused: as whom, on what, with which parameters, and what the answer says. */
export interface Refusal {
  readonly as?: Role
  readonly operation?: string
  readonly input?: unknown
  readonly params?: object
  readonly status: number
  readonly message: string | RegExp
}

/** Makes a test of each refusal. What it needs is made when it runs. */
export function refusalsOf(
  bench: OperationBench,
  operation: string,
  refusals: { readonly [sentence: string]: Refusal | (() => Refusal | Promise<Refusal>) },
): void {
  for (const [sentence, refusal] of Object.entries(refusals)) {
    test(`${operation} is refused ${sentence}`, async () => {
      const refused = typeof refusal === 'function' ? await refusal() : refusal
      const { as = 'Administrator', input, params, status, message } = refused
      assertRefused(await bench.call(refused.operation ?? operation, input, params, { as }), status, asPattern(message))
    })
  }
}

/** The message ends with the sentence: before it stands which operation failed. */
function asPattern(message: string | RegExp): RegExp {
  return typeof message === 'string' ? new RegExp(`, ${RegExp.escape(message)}$`) : message
}

export function uidsOf(documents: Answered): readonly string[] {
  assert.equal(documents['entity-type'], 'documents')
  return documents.entries.map(({ uid }: Answered) => uid)
}

export const unknownId = '00000000-0000-4000-8000-000000000000'
