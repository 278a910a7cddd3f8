import { readFile } from 'node:fs/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'
import { readingFile } from '../reading/damaged-file.ts'

/** One PDF of several: the pages of the file, then those of the files that come with it. */
const joinPdfs: ConverterWork = async ({ source, attached, limits }) => {
  const joined = await PDFDocument.create()
  for (const { path } of [source, ...attached]) {
    await readingFile(async () => {
      const document = await PDFDocument.load(await readFile(path))
      const pages = joined.getPageCount() + document.getPageCount()
      if (pages > limits.pages) throw new ConversionRefusal(`They have more than ${limits.pages} pages.`, { isTooLarge: true })
      for (const page of await joined.copyPages(document, document.getPageIndices())) joined.addPage(page)
    })
  }
  return [{ bytes: await joined.save() }]
}

export default joinPdfs
