import type { VendorIdentifiers } from '../base/vendor.ts'
import type { Answer } from '../rest/answer.ts'

/** The content type of an answer; null when it has no content. Entities name what they are in a parameter. */
export type ContentTypes = (answer: Answer) => string | null

export function createContentTypes(vendored: VendorIdentifiers): ContentTypes {
  const parameter = vendored('platform-entity')
  const ofEntities = new Map<string | undefined, string>([[undefined, 'application/json']])
  return (answer) => {
    if (answer.kind === 'empty') return null
    if (answer.kind === 'text' || answer.kind === 'stream') return answer.contentType
    const { entityType } = answer
    const contentType = ofEntities.get(entityType) ?? `application/json; ${parameter}=${entityType}`
    ofEntities.set(entityType, contentType)
    return contentType
  }
}
