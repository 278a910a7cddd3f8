import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { withPdf } from '../reading/pdf-document.ts'

/**
 * The text of a PDF, page after page with a form feed between them; of very long ones the first pages. With the parameter
 * `maxCharacters` no further than so many, and with `password` of those that have one.
 */
const pdfToText: ConverterWork = ({ source, limits, parameters }) =>
  readingFile(() =>
    withPdf(
      source.path,
      (document) => {
        const maxCharacters = Number(parameters['maxCharacters']) || Number.POSITIVE_INFINITY
        const pages = Math.min(document.getPageCount(), limits.pages)
        const texts: string[] = []
        let characters = 0
        for (let index = 0; index < pages && characters < maxCharacters; index += 1) {
          const text = document.getPage(index).getText().replaceAll('\r\n', '\n').replaceAll('\0', ' ')
          characters += text.length
          texts.push(text)
        }
        return [{ bytes: texts.join('\n\f'), mimeType: 'text/plain', encoding: 'UTF-8' }]
      },
      parameters['password'],
    ),
  )

export default pdfToText
