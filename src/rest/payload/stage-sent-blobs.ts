import { accessTo } from '../../core/access.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import type { Session } from '../../core/session.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { requireCountable } from '../../model/properties/value-bounds.ts'
import type { BlobLink } from '../render/blob-url.ts'
import type { Sender } from '../request/exchange.ts'
import {
  blobNotResolvable,
  type EarlierBlobs,
  type LinkedBlob,
  readLinked,
  type SentLink,
  type StagedBlobs,
  stageBlobs,
} from './sent-blobs.ts'
import { uploadedFilesOf } from './uploaded-files.ts'

/** Stores the blobs that a request brings in its body. @throws listTooLong, documentTooLarge before any is stored */
export async function stageSentBlobs(exchange: Sender, properties: JsonObject, earlier?: EarlierBlobs): Promise<StagedBlobs> {
  const { repository, request, services, principal } = exchange
  const { model, blobs } = repository
  requireCountable(properties, repository.rules.valueBounds, (name) => model.findProperty(name)?.field)
  if (!holdsObjects(properties)) return noBlobs
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
    follow: async (link) => (await findLinked(exchange, link))?.blob,
    leadsElsewhere: (link) => leadsElsewhere(exchange, link),
    mayUseKeys: principal.isAdministrator,
    listKeysOf: (digest) => repository.store.reader.blobKeys.listKeysOf(digest),
    ...(earlier !== undefined && { earlier }),
  })
}

const noBlobs: StagedBlobs = { stored: new Map(), texts: new Map(), links: [], rules: [] }

/** Every form of a blob is an object, and most requests have none: the signal and what else it takes to stage one is made for those alone. */
function holdsObjects(properties: JsonObject): boolean {
  for (const name in properties) if (typeof properties[name] === 'object' && properties[name] !== null) return true
  return false
}

/** Whether a link is into another repository of the server. */
export function leadsElsewhere({ repository, services }: Sender, link: BlobLink): boolean {
  return link.repository !== repository.name && services.repositories.has(link.repository)
}

/** Whether it matters that there is nothing is for the transaction to say. */
export async function findLinked(exchange: Sender, link: Pick<SentLink, 'link' | 'url'>): Promise<LinkedBlob | undefined> {
  const { downloads, repositories } = exchange.services
  const there = repositories.get(link.link.repository)
  if (there === undefined) return undefined
  try {
    const read = (session: Session) => readLinked(session, link, downloads.rules, undefined)
    return await accessTo(there, exchange.principal).read(read)
  } catch (error) {
    if (blobNotResolvable.is(error)) return undefined
    throw error
  }
}
