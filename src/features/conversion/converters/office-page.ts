import { readFile } from 'node:fs/promises'
import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { cleanPage } from '../reading/html-page.ts'
import soffice from './soffice.ts'

/** Has LibreOffice make HTML, and takes out of it what could run. */
const officePage: ConverterWork = async (job) => {
  const [made] = await soffice({ ...job, options: { ...job.options, format: 'html' } })
  return [await cleanPage(job.source.name, await readFile(made?.path ?? '', 'utf8'))]
}

export default officePage
