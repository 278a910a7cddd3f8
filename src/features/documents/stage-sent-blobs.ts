import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import type { JsonObject } from '../../model/coercion.ts'
import type { BlobValue } from '../../model/property.ts'
import type { Exchange } from '../../rest/exchange.ts'
import { blobNotResolvable, readLinked, type SentLink, type StagedBlobs, stageBlobs } from '../../rest/sent-blobs.ts'
import { uploadedFilesOf } from '../../rest/uploaded-files.ts'

/** Stores the blobs that a request brings in its body. */
export function stageSentBlobs(exchange: Exchange, properties: JsonObject): Promise<StagedBlobs> {
  const { repository, request, services, principal } = exchange
  const { model, blobs } = repository
  const { baseUrl, signal } = request
  const { downloads, log } = services
  return stageBlobs(properties, {
    model,
    blobs,
    baseUrl,
    log,
    signal,
    inspect: (blob: BlobValue) => inspectBlob(repository, blob),
    downloadRules: downloads.rules,
    uploads: uploadedFilesOf(exchange),
    follow: (link) => findLinked(exchange, link),
    mayUseKeys: principal.isAdministrator,
  })
}

/** Whether it matters that there is nothing is for the transaction to say. */
async function findLinked(exchange: Exchange, link: SentLink): Promise<BlobValue | undefined> {
  const { rules } = exchange.services.downloads
  try {
    return await exchange.read((session) => readLinked(session, link, rules, undefined))
  } catch (error) {
    if (blobNotResolvable.is(error)) return undefined
    throw error
  }
}
