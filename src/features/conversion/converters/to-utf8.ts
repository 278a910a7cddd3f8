import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { sourceText } from '../reading/source-text.ts'

/** The same text in the encoding that everybody reads. */
const toUtf8: ConverterWork = async (job) => [{ bytes: await sourceText(job), mimeType: job.target, encoding: 'UTF-8' }]

export default toUtf8
