import { readFile } from 'node:fs/promises'
import { type ConversionJob, ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'
import { docxTypes } from '../office-types.ts'
import { blocksToHtml } from '../reading/blocks.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { cleanPage, htmlPage, preformatted } from '../reading/html-page.ts'
import { mailToHtml, readMail, readOutlookMail } from '../reading/mail.ts'
import { officeBlocks } from '../reading/office-blocks.ts'
import { richTextToText } from '../reading/rich-text.ts'
import { openZip } from '../reading/zip-entries.ts'

// It holds all of it in memory several times.
const maxDocxBytes = 64 * 1024 ** 2

/** Text and structure of office files and mail, without the programs that made them. */
const officeToHtml: ConverterWork = (job) =>
  readingFile(async () => {
    const { name, path, mimeType } = job.source
    switch (job.options['reader']) {
      case 'richText':
        return [htmlPage(name, preformatted(richTextToText(await readFile(path, 'latin1'))))]
      case 'mail': {
        const mail = await (mimeType === 'application/vnd.ms-outlook' ? readOutlookMail(path) : readMail(path))
        return [htmlPage(name, await mailToHtml(mail))]
      }
      default:
        if (docxTypes.includes(mimeType)) return [await cleanPage(name, await docxToHtml(job))]
        return [htmlPage(name, blocksToHtml(await officeBlocks(job)))]
    }
  })

export default officeToHtml

async function docxToHtml(job: ConversionJob): Promise<string> {
  await requireSound(job)
  const { default: mammoth } = await import('mammoth')
  const { value } = await mammoth.convertToHtml({ path: job.source.path }, { externalFileAccess: false } as object)
  return value
}

/** The library looks at sizes when it is too late. */
async function requireSound(job: ConversionJob): Promise<void> {
  const zip = await openZip(job)
  try {
    let bytes = 0
    for (const name of zip.names) bytes += (await zip.bytes(name))?.length ?? 0
    if (bytes > maxDocxBytes)
      throw new ConversionRefusal('What is packed in it is too large when it is unpacked.', { isTooLarge: true })
  } finally {
    zip.close()
  }
}
