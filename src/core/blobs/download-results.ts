import { defineProblem } from '../../base/problem.ts'
import { type TypedName, typedName } from '../../base/typed-name.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import type { Transaction } from '../../store/store.ts'
import type { NotedRights } from '../noted-rights.ts'
import type { Session } from '../session.ts'

/** How far a download has come that is made after the answer. It lies with the first repository of the server, whatever it is of. */
export type DownloadResult = DownloadProgress & {
  /** Who had it made: nobody else is told of it, administrators apart. Absent, it is for everybody who knows the key. */
  readonly owner?: string
  /** What they were granted for it: it is theirs only while they may still read all of that. */
  readonly rights?: NotedRights
}

type DownloadProgress =
  | { readonly kind: 'underway' /** 0 to 100; undefined when unknown. */; readonly progress?: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'done'; readonly blob: BlobValue }

export const resultNotFound = defineProblem(
  'resultNotFound',
  'notFound',
  (of: { key: string }) => `There is no download ${of.key}, or it was fetched already.`,
)

/** Stores a result for clients that know the key, until it expires. The same key again replaces it. */
export function storeDownloadResult(tx: Transaction, key: string, result: DownloadResult, expires: string): Promise<void> {
  return tx.transient.set(storedKey(key), result, expires)
}

/** Of another user's there is nothing to be seen. @throws resultNotFound */
export async function readDownloadResult({ reader, principal, now }: Session, key: string): Promise<DownloadResult> {
  const found = await reader.transient.find(storedKey(key), now)
  const isFor = ({ owner }: DownloadResult) => owner === undefined || owner === principal.name || principal.isAdministrator
  if (found === undefined || !isFor(found)) throw resultNotFound({ key })
  return found
}

export function removeDownloadResult(tx: Transaction, key: string): Promise<void> {
  return tx.transient.remove(storedKey(key))
}

function storedKey(key: string): TypedName<DownloadResult> {
  return typedName(`download/${key}`)
}
