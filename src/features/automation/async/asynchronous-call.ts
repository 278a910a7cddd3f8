import { asynchronousKind } from '../../../automation/asynchronous-kind.ts'
import { newId } from '../../../base/ids.ts'
import { typedName } from '../../../base/typed-name.ts'
import { requireShareOfQueue } from '../../../core/jobs/queue-share.ts'
import type { Repository } from '../../../core/session.ts'
import type { JsonObject } from '../../../model/properties/coercion.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { stageAhead } from '../../../rest/operations/operation-host.ts'
import { readHeaders } from '../../../rest/payload/declared-input.ts'
import type { EarlierBlobs } from '../../../rest/payload/sent-blobs.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import type { SentCall } from '../sent-call.ts'
import { addExecution } from './execution.ts'
import { type StoredValue, storeValue } from './stored-value.ts'

/** The job of such a call: all that it needs to know of the request that asked for it. */
export interface AsynchronousCall {
  readonly executionId: string
  /** Of the operation, as it was called. */
  readonly id: string
  readonly username: string
  readonly params: JsonObject
  readonly context: JsonObject
  readonly input: StoredValue
  readonly baseUrl: string
  readonly headers: { readonly [name: string]: string }
  readonly staged: StoredBlobs
}

type Found<Map> = Map extends ReadonlyMap<string, Promise<infer Result>> ? Result : never

/** The files that the call describes. Their batches are gone when it runs. */
interface StoredBlobs {
  readonly blobs: readonly (readonly [json: string, Found<EarlierBlobs['blobs']> | null])[]
  readonly texts: readonly (readonly [json: string, Found<EarlierBlobs['texts']> | null])[]
}

export const callKind = typedName<AsynchronousCall>(asynchronousKind)

/** What operations ask of the request, beside its body. */
const passedHeaders = Type.Object({
  'accept-language': Type.Optional(Type.String()),
  skipaggregates: Type.Optional(Type.String()),
  'nx-es-sync': Type.Optional(Type.String()),
})

/** Leaves the call for a worker and gives the id of its execution. @throws tooManyJobsWait */
export async function submitCall(exchange: Exchange, id: string, call: SentCall): Promise<string> {
  const { repository, principal, request } = exchange
  const executionId = newId()
  const job: AsynchronousCall = {
    executionId,
    id,
    username: principal.name,
    params: call.params,
    context: call.context,
    input: await storeValue(repository, call.input),
    baseUrl: request.baseUrl,
    headers: readHeaders(passedHeaders, request),
    staged: await storeStaged(await stageAhead(exchange, call)),
  }
  await addCall(repository, job)
  return executionId
}

function addCall(repository: Repository, job: AsynchronousCall): Promise<void> {
  const { executionId: id, username } = job
  return repository.store.transact(async ({ transient, jobs }) => {
    await requireShareOfQueue(repository, jobs, username, [asynchronousKind])
    const asked = repository.now()
    await addExecution(transient, { id, username, asked, state: { kind: 'running' } }, asked)
    await jobs.add(callKind, job, { owner: username })
  })
}

async function storeStaged({ blobs, texts }: EarlierBlobs): Promise<StoredBlobs> {
  return { blobs: await settled(blobs), texts: await settled(texts) }
}

async function settled<Result>(
  staged: ReadonlyMap<string, Promise<Result>>,
): Promise<readonly (readonly [string, Result | null])[]> {
  return Promise.all([...staged].map(async ([json, found]) => [json, (await found) ?? null] as const))
}

export function restoreStaged({ blobs, texts }: StoredBlobs): EarlierBlobs {
  return { blobs: restored(blobs), texts: restored(texts) }
}

function restored<Result>(stored: readonly (readonly [string, Result | null])[]): Map<string, Promise<Result | undefined>> {
  return new Map(stored.map(([json, found]) => [json, Promise.resolve(found ?? undefined)]))
}
