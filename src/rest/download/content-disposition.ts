import { shortFileName } from '../../base/short-file-name.ts'

/** How a file is handed over: shown in the browser, or saved under its name. */
export type Disposition = 'inline' | 'attachment'

const plainName = /^[!#$&+\-.\w^`{|}~]+$/

/**
 * The header that names a downloaded file. A name that is no plain word stands only in the encoded form of RFC 8187, which every
 * client reads: beside it, the plain form would have to be a lie. Clients stop reading when all headers have 16 KB together, so a
 * name that is longer than a file can have is cut.
 */
export function contentDisposition(disposition: Disposition, name: string): string {
  const wellFormed = shortFileName(name.toWellFormed())
  return plainName.test(wellFormed)
    ? `${disposition}; filename=${wellFormed}`
    : `${disposition}; filename*=${extended(wellFormed)}`
}

/** Percent-encoded but for what RFC 8187 leaves as it is. */
function extended(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `UTF-8''${encoded}`
}
