import { randomUUID } from 'node:crypto'
import { defineProblem } from '../../base/problem.ts'
import type { Transaction } from '../../store/store.ts'
import { batchKey, tallyKey } from './upload-keys.ts'
import type { BatchMark } from './upload-state.ts'
import { expiryFrom, type Uploads } from './uploads.ts'

export interface UploadBatch {
  readonly id: string
  readonly handler: string
}

// Its knowledge is enough to use it, so it is random in all its digits.
const newBatchId = () => `batchId-${randomUUID()}`
const batchIdShape = /^batchId-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function createBatch({ store, rules, now }: Uploads, handler: string): Promise<UploadBatch> {
  const id = newBatchId()
  const created = now()
  const expires = expiryFrom(created, rules.ttlSeconds)
  await store.transact(async (tx) => {
    await tx.transient.set(batchKey(id), { handler, renewed: created }, expires)
    await tx.transient.set(tallyKey(id, 'bytes'), 0, expires)
    await tx.transient.set(tallyKey(id, 'files'), 0, expires)
  })
  return { id, handler }
}

/** Looking at a batch renews it. */
export async function findBatch(uploads: Uploads, id: string): Promise<UploadBatch | undefined> {
  if (!batchIdShape.test(id)) return undefined
  const mark = await uploads.store.reader.transient.find(batchKey(id), uploads.now())
  if (mark === undefined) return undefined
  if (isAgeing(uploads, mark)) await renew(uploads, id, mark)
  return { id, handler: mark.handler }
}

export async function dropBatch({ store }: Uploads, id: string): Promise<void> {
  if (!batchIdShape.test(id)) return
  await store.transact(async (tx) => {
    await tx.transient.removeAll(batchKey(id))
    // What an upload added while this waited for it.
    await tx.transient.removeAll(batchKey(id))
  })
}

const batchGone = defineProblem('batchGone', 'notFound', (of: { id: string }) => `There is no upload batch ${of.id}.`)

/** A batch that no other transaction changes meanwhile. */
export interface BatchChange {
  readonly tx: Transaction
  readonly now: string
  /** For every row that is written. */
  readonly expires: string
}

/** Changes a batch, one change at a time whichever process makes it. Undefined when the batch is gone. */
export async function changeBatch<Result>(
  { store, rules, now }: Uploads,
  id: string,
  change: (batch: BatchChange) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await store.transact(async (tx) => {
      const at = now()
      const expires = expiryFrom(at, rules.ttlSeconds + renewalSlackSeconds)
      // Locked until the transaction ends, against other transactions that change or drop the batch.
      await tx.transient.increase(tallyKey(id, 'bytes'), 0, expires, at)
      if ((await tx.transient.find(batchKey(id), at)) === undefined) throw batchGone({ id })
      return change({ tx, now: at, expires })
    })
  } catch (error) {
    if (batchGone.is(error)) return undefined
    throw error
  }
}

// A row that is added while the others are renewed must not expire before them.
const renewalSlackSeconds = 60

/** Not at every use, which would write all rows of a batch each time: a batch that was just used lives a sixteenth less. */
function isAgeing({ rules, now }: Uploads, { renewed }: BatchMark): boolean {
  return Date.parse(now()) - Date.parse(renewed) > (rules.ttlSeconds * 1000) / 16
}

async function renew({ store, rules, now }: Uploads, id: string, { handler }: BatchMark): Promise<void> {
  const renewed = now()
  const expires = expiryFrom(renewed, rules.ttlSeconds)
  await store.transact(async (tx) => {
    await tx.transient.renew(batchKey(id), expires, renewed)
    // Those rows are locked now; a batch that was dropped before does not come back.
    if ((await tx.transient.find(batchKey(id), renewed)) === undefined) return
    await tx.transient.set(batchKey(id), { handler, renewed }, expires)
  })
}
