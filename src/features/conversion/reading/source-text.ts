import { createReadStream } from 'node:fs'
import { decodeText } from '../../../base/decoded-text.ts'
import { firstBytes } from '../../../base/first-bytes.ts'
import { type ConversionJob, ConversionRefusal } from '../../../core/conversion/converter.ts'

// Nobody reads more of a text in a page of a browser, and all of it is in memory several times.
const maxTextBytes = 32 * 1024 ** 2

/** The characters of a text file. @throws ConversionRefusal when there are too many */
export async function sourceText({ source }: ConversionJob): Promise<string> {
  const start = await firstBytes(createReadStream(source.path), maxTextBytes)
  if (start.isCut) throw tooLong(maxTextBytes)
  return decodeText(start, source.encoding).replace(/^\ufeff/, '')
}

function tooLong(maxBytes: number): ConversionRefusal {
  return new ConversionRefusal(`It has more than the ${maxBytes} bytes that can be read at once.`, { isTooLarge: true })
}
