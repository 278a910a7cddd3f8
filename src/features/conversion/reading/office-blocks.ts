import type { ConversionJob } from '../../../core/conversion/converter.ts'
import { officeFamilyOf } from '../office-types.ts'
import type { Block } from './blocks.ts'
import { readOpenDocument } from './open-document.ts'
import { readDocx, readPptx, readXlsx } from './open-xml.ts'
import { openZip, type ZipEntries } from './zip-entries.ts'

const readers: { readonly [family: string]: (zip: ZipEntries) => Promise<readonly Block[]> } = {
  docx: readDocx,
  pptx: readPptx,
  xlsx: readXlsx,
  opendocument: readOpenDocument,
}

/** What is in an office file that is a zip archive. @throws ConversionRefusal */
export async function officeBlocks(job: Pick<ConversionJob, 'source' | 'limits'>): Promise<readonly Block[]> {
  const zip = await openZip(job)
  try {
    return (await readers[officeFamilyOf(job.source.mimeType)]?.(zip)) ?? []
  } finally {
    zip.close()
  }
}
