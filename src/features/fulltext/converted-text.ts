import { readFile } from 'node:fs/promises'
import { memoisedByText } from '../../base/cache/memo.ts'
import { nothingConverted } from '../../core/conversion/run-conversion.ts'
import type { TextExtractor } from '../../core/file-texts/text-extractor.ts'
import type { Services } from '../../rest/services.ts'

const text = 'text/plain'

/** Files that a converter makes text of: PDF, office files, mail (contract: blobs 6.8). */
export function convertedText(services: Pick<Services, 'conversions'>): TextExtractor {
  // Asked inside of transactions, for every file; what programs there are does not change while the server runs.
  const accepts = memoisedByText((mimeType: string) => services.conversions.planner.hasSpecific(mimeType, text), {
    maxEntries: 1_000,
  })
  return {
    name: 'converters',
    accepts,
    async extract({ content, readAgain, name, mimeType, encoding, sizeLimit }) {
      const source = { name, mimeType, encoding, open: async () => (content.readableDidRead ? readAgain() : content) }
      const parameters = sizeLimit === undefined ? {} : { maxCharacters: String(sizeLimit) }
      try {
        return await services.conversions.convertFor(
          source,
          { converter: 'any2text' },
          async ([file]) => (file === undefined ? '' : readFile(file.path, 'utf8')),
          { parameters, isBackground: true },
        )
      } catch (error) {
        if (nothingConverted.is(error)) return ''
        throw error
      }
    },
  }
}
