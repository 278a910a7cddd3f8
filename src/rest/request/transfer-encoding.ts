import { Buffer } from 'node:buffer'
import { defineProblem } from '../../base/problem.ts'
import { malformedForm } from './form-parts.ts'

/** Gives the bytes that a part stands for, as it comes in. It is never more than came in. */
export interface PartDecoder {
  /** @throws malformedForm */
  decode(bytes: Buffer): Buffer
  /** What is left when the part is over. @throws malformedForm */
  end(): Buffer
}

export const unknownTransferEncoding = defineProblem(
  'unknownTransferEncoding',
  'unsupportedMediaType',
  (of: { encoding: string }) =>
    `A part has the Content-Transfer-Encoding ${of.encoding.slice(0, 100)}. Send it as binary, 8bit, 7bit, base64 or quoted-printable.`,
)

const nothing = Buffer.alloc(0)
const asItIs: PartDecoder = { decode: (bytes) => bytes, end: () => nothing }

const decoders: ReadonlyMap<string, () => PartDecoder> = new Map([
  ['', () => asItIs],
  ['7bit', () => asItIs],
  ['8bit', () => asItIs],
  ['binary', () => asItIs],
  ['base64', () => new Base64Decoder()],
  ['quoted-printable', () => new QuotedPrintableDecoder()],
])

/**
 * Browsers send parts as they are; mail libraries, with which other clients write theirs, may encode them (RFC 2045, 6).
 * @throws unknownTransferEncoding
 */
export function decoderOf(encoding = ''): PartDecoder {
  const create = decoders.get(encoding.trim().toLowerCase())
  if (create === undefined) throw unknownTransferEncoding({ encoding: encoding.trim() })
  return create()
}

class Base64Decoder implements PartDecoder {
  /** Less than four characters, which are three bytes. */
  #rest = ''
  #isOver = false

  decode(bytes: Buffer): Buffer {
    const text = this.#rest + bytes.toString('latin1').replace(/\s+/g, '')
    const length = text.length - (text.length % 4)
    this.#rest = text.slice(length)
    return this.#decodeAll(text.slice(0, length))
  }

  /** The signs at the end that only fill it up may be missing. */
  end(): Buffer {
    if (this.#rest.replace(/=+$/, '').length === 1) throw notEncoded('base64')
    return this.#decodeAll(this.#rest)
  }

  #decodeAll(text: string): Buffer {
    if (text === '') return nothing
    if (this.#isOver || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw notEncoded('base64')
    this.#isOver = text.endsWith('=')
    return Buffer.from(text, 'base64')
  }
}

// A line has no more than 76 characters, so that blanks at its end are no more either.
const quoted = /=(?:([0-9a-f]{2})|([ \t]{0,76}\r?\n)|)/gi
const beginningOfQuoted = /^=(?:[0-9a-f]?|[ \t]{0,76}\r?)$/i
const longestBeginning = 78

class QuotedPrintableDecoder implements PartDecoder {
  /** A sign with which something begins that is not all there. */
  #rest = ''

  decode(bytes: Buffer): Buffer {
    const text = this.#rest + bytes.toString('latin1')
    const last = text.lastIndexOf('=')
    const isOpen = last >= Math.max(0, text.length - longestBeginning) && beginningOfQuoted.test(text.slice(last))
    this.#rest = isOpen ? text.slice(last) : ''
    return decodeQuoted(isOpen ? text.slice(0, last) : text)
  }

  /** The end of its last line belongs to the boundary. */
  end(): Buffer {
    if (!/^(?:=[ \t]*\r?)?$/.test(this.#rest)) throw notEncoded('quoted-printable')
    return nothing
  }
}

function decodeQuoted(text: string): Buffer {
  const decoded = text.replace(quoted, (_, digits?: string, lineEnd?: string) => {
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
    if (lineEnd === undefined) throw notEncoded('quoted-printable')
    return ''
  })
  return Buffer.from(decoded, 'latin1')
}

function notEncoded(encoding: string): Error {
  return malformedForm({ reason: `a part is not in ${encoding}, as its Content-Transfer-Encoding says` })
}
