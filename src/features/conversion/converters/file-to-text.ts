import { readFile } from 'node:fs/promises'
import { htmlToText } from '../../../base/html/html-text.ts'
import type { ConversionJob, ConverterWork } from '../../../core/conversion/converter.ts'
import { officeFamilyOf } from '../office-types.ts'
import { blocksToText } from '../reading/blocks.ts'
import { readCompoundFile } from '../reading/compound-file.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { mailToText, readMail, readOutlookMail } from '../reading/mail.ts'
import { officeBlocks } from '../reading/office-blocks.ts'
import { excelText, powerPointText, wordText } from '../reading/old-office.ts'
import { richTextToText } from '../reading/rich-text.ts'
import { sourceText } from '../reading/source-text.ts'

/** The text of files that no program is needed for. What reads it is named by the option `reader`. */
const fileToText: ConverterWork = async (job) => {
  const text = await readingFile(() => textOf(job))
  // The database stores no such character, and nobody can read it.
  return [{ bytes: text.replaceAll('\0', ' '), mimeType: 'text/plain', encoding: 'UTF-8' }]
}

export default fileToText

async function textOf(job: ConversionJob): Promise<string> {
  const { path, mimeType } = job.source
  switch (job.options['reader']) {
    case 'markup':
      return htmlToText((await sourceText(job)).replaceAll('<![CDATA[', ' ').replaceAll(']]>', ' '))
    case 'richText':
      return richTextToText(await readFile(path, 'latin1'))
    case 'mail':
      return mailToText(await (mimeType === 'application/vnd.ms-outlook' ? readOutlookMail(path) : readMail(path)))
    case 'word':
      return wordText(readCompoundFile(await readFile(path)))
    case 'powerPoint':
      return powerPointText(readCompoundFile(await readFile(path)))
    case 'excel':
      return excelText(readCompoundFile(await readFile(path)))
    case 'nothing':
      return ''
    default:
      return officeFamilyOf(mimeType) === 'none' ? sourceText(job) : blocksToText(await officeBlocks(job))
  }
}
