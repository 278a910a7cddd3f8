import { join } from 'node:path'
import type { ConversionJob } from '../../../core/conversion/converter.ts'

/** Page descriptions that are programs. Illustrator's files are not among them: they are PDF. */
export const postscriptTypes: readonly string[] = [
  'application/postscript',
  'application/eps',
  'application/x-eps',
  'image/eps',
  'image/x-eps',
]

export interface Printing {
  readonly pages: number
  /** Of what is made to stand in other pages only what it draws, and not the paper. */
  readonly isCropped?: boolean
}

/** The pages as a PDF in the folder of the conversion. @throws ConversionRefusal */
export async function printPostscript(
  { run, source, folder }: Pick<ConversionJob, 'run' | 'source' | 'folder'>,
  { pages, isCropped = false }: Printing,
): Promise<string> {
  const name = 'printed.pdf'
  // A page description is a program: it may read and write nothing but what it is given.
  const safe = ['-dSAFER', '-dBATCH', '-dNOPAUSE', '-q', `-dLastPage=${pages}`]
  await run('gs', [...safe, ...(isCropped ? ['-dEPSCrop'] : []), '-sDEVICE=pdfwrite', `-sOutputFile=${name}`, source.path])
  return join(folder, name)
}
