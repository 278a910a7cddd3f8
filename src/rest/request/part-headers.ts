import { isUtf8 } from 'node:buffer'

/** What the headers of a form's part say. */
export interface PartFacts {
  /** Of the form's field. */
  readonly field: string | undefined
  /** Of a file, without folders; empty when a form was sent without choosing one. */
  readonly fileName: string | undefined
  readonly contentType: string | undefined
}

export type PartHeaders = { readonly [name: string]: readonly string[] | undefined }

/** Header values come as one character a byte. */
export function parsePartHeaders(headers: PartHeaders): PartFacts {
  const disposition = parseParameters(headers['content-disposition']?.[0] ?? '')
  const fileName = findExtended(disposition.get('filename*')) ?? disposition.get('filename')
  return {
    field: disposition.get('name'),
    fileName: fileName?.replace(/^.*[/\\]/s, ''),
    contentType: headers['content-type']?.[0]?.trim() || undefined,
  }
}

/** Whether a part is a file rather than a field. Browsers send a file without name and content where none was chosen. */
export function isFilePart({ fileName, contentType }: PartFacts): boolean {
  return fileName === undefined ? contentType?.toLowerCase() === 'application/octet-stream' : fileName !== ''
}

// Each character is read in one way only: with two ways for a backslash, fifty of them without a quote behind them took for ever.
const parameter = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\["\\]|\\(?!["\\]))*\\?)"|([^;\s"]*))/g

function parseParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of header.matchAll(parameter)) {
    // Only these two are escapes: browsers send the backslashes of a path as they are.
    found.set(name.toLowerCase(), decodeBytes(quoted?.replace(/\\(["\\])/g, '$1') ?? plain))
  }
  return found
}

/** `UTF-8''caf%C3%A9.txt` (RFC 8187). */
function findExtended(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** Bytes that are UTF-8 are read as such, others as ISO-8859-1. */
export function decodeBytes(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}
