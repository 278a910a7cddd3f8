import { decodeSegment } from '../../rest/request/url-path.ts'

const address = /^(?:\/+repo\/+[^/]+)?\/+directory\/+[^/]+\/(.*)$/s

/**
 * The id of an entry in the path of a request: all that follows the directory, as it is. Ids may be URLs, whose slashes clients
 * send unencoded, also two in a row and one at the end. @throws undecodablePath
 */
export function parseEntryAddress(rawPath: string): string {
  return decodeSegment(address.exec(rawPath)?.[1] ?? '')
}
