import { readFile } from 'node:fs/promises'
import { PDFDocument, PDFInvalidObject, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import { type ConversionLimits, ConversionRefusal, type StagedFile } from '../../../core/conversion/converter.ts'
import { lockedSentence } from './pdf-document.ts'

/** A PDF as something that can be changed and saved. */
export interface EditablePdf {
  readonly document: PDFDocument
  /** Whether it was, before it was opened; what is saved of it is not. */
  readonly isEncrypted: boolean
}

/** @throws ConversionRefusal when it is none, or has another password */
export async function openPdf(
  { path }: Pick<StagedFile, 'path'>,
  { pages }: Pick<ConversionLimits, 'pages'>,
  password = '',
): Promise<EditablePdf> {
  const bytes = await readFile(path)
  try {
    const written = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })
    const { isEncrypted } = written
    const document = isEncrypted ? await decrypted(bytes, written, password) : written
    if (document.getPageCount() > pages) throw new ConversionRefusal(`It has more than ${pages} pages.`, { isTooLarge: true })
    return { document, isEncrypted }
  } catch (cause) {
    if (cause instanceof ConversionRefusal) throw cause
    const isLocked = cause instanceof Error && /password/i.test(cause.message)
    throw new ConversionRefusal(isLocked ? lockedSentence(password) : 'It is damaged, or no PDF.', { cause })
  }
}

export async function loadPdf(...of: Parameters<typeof openPdf>): Promise<PDFDocument> {
  return (await openPdf(...of)).document
}

/**
 * The library decrypts the stream with the table of objects, which never is encrypted, and so loses what stands there. That is taken from
 * the file as it was written; what is left of the encryption goes, or the next reader would ask for the password.
 */
async function decrypted(bytes: Uint8Array, written: PDFDocument, password: string): Promise<PDFDocument> {
  const document = await PDFDocument.load(bytes, { password, updateMetadata: false })
  const { context } = document
  const { Info, ID, Encrypt } = written.context.trailerInfo
  if (Info !== undefined) context.trailerInfo.Info = Info
  if (ID !== undefined) context.trailerInfo.ID = ID
  for (const [reference, object] of context.enumerateIndirectObjects()) {
    if (reference === Encrypt || isTable(object)) context.delete(reference)
  }
  return document
}

function isTable(object: unknown): boolean {
  if (object instanceof PDFInvalidObject) return true
  const type = object instanceof PDFRawStream ? object.dict.lookup(PDFName.of('Type')) : undefined
  return type === PDFName.of('XRef') || type === PDFName.of('ObjStm')
}
