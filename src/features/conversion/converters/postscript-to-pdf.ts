import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { printPostscript } from '../reading/postscript.ts'

/** The option `isCropped` leaves away the paper around what stands in other pages. */
const postscriptToPdf: ConverterWork = async (job) => [
  { path: await printPostscript(job, { pages: job.limits.pages, isCropped: job.options['isCropped'] === true }) },
]

export default postscriptToPdf
