import { readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { once } from '../../../base/cache/memo.ts'
import { ConversionRefusal } from '../../../core/conversion/converter.ts'

export type PdfDocument = Awaited<ReturnType<PDFiumLibrary['loadDocument']>>

// 100 ms, once for each process.
const library = once(() => PDFiumLibrary.init())

/** Looks into a PDF. @throws ConversionRefusal when it is none, or has another password */
export async function withPdf<Result>(
  path: string,
  use: (document: PdfDocument) => Promise<Result> | Result,
  password = '',
): Promise<Result> {
  const bytes = await readFile(path)
  const document = await (await library()).loadDocument(bytes, password).catch((cause: Error) => {
    throw new ConversionRefusal(/password/i.test(cause.message) ? lockedSentence(password) : 'It is damaged, or no PDF.', {
      cause,
    })
  })
  try {
    return await use(document)
  } finally {
    document.destroy()
  }
}

/** What PDFium itself has and the package does not offer. */
interface PdfiumDocument {
  readonly module: { _FPDF_GetDocPermissions(document: number): number }
  readonly documentIdx: number
}

// The lowest two bits mean nothing and may be absent.
const everyPermission = 0xfffffffc

/** Whether the password with which the document was opened leaves nothing forbidden, as that of its owner does. */
export function isUnrestricted(document: PdfDocument): boolean {
  const { module, documentIdx } = document as unknown as PdfiumDocument
  return module._FPDF_GetDocPermissions(documentIdx) >>> 0 >= everyPermission
}

/** Why a PDF does not open. */
export function lockedSentence(password: string): string {
  return password === '' ? 'It needs a password.' : 'The password is wrong.'
}
