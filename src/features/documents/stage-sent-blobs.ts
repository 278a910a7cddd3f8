import type { JsonObject } from '../../model/coercion.ts'
import type { Exchange } from '../../rest/exchange.ts'
import { type StagedBlobs, stageBlobs } from '../../rest/sent-blobs.ts'

/** Stores the blobs that a request brings in its body. */
export function stageSentBlobs({ repository, request, services }: Exchange, properties: JsonObject): Promise<StagedBlobs> {
  const { model, blobs } = repository
  const { baseUrl, signal } = request
  return stageBlobs(properties, { model, blobs, baseUrl, log: services.log, signal })
}
