import { readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { once } from '../../../base/cache/memo.ts'
import { ConversionRefusal } from '../../../core/conversion/converter.ts'

type PdfDocument = Awaited<ReturnType<PDFiumLibrary['loadDocument']>>

// 100 ms, once for each process.
const library = once(() => PDFiumLibrary.init())

/** Looks into a PDF. @throws ConversionRefusal when it is none, or has a password */
export async function withPdf<Result>(path: string, use: (document: PdfDocument) => Promise<Result> | Result): Promise<Result> {
  const bytes = await readFile(path)
  const document = await (await library()).loadDocument(bytes).catch((cause: Error) => {
    const isLocked = /password/i.test(cause.message)
    throw new ConversionRefusal(isLocked ? 'It needs a password.' : 'It is damaged, or no PDF.', { cause })
  })
  try {
    return await use(document)
  } finally {
    document.destroy()
  }
}
