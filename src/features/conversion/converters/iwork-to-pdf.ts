import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { openZip } from '../reading/zip-entries.ts'

/** The preview that Pages, Numbers and Keynote store in their files; newer ones store none. */
const iworkToPdf: ConverterWork = async (job) => {
  const zip = await openZip(job)
  try {
    const preview = zip.names.find((name) => /(^|\/)QuickLook\/Preview\.pdf$/i.test(name))
    const bytes = preview && (await zip.bytes(preview))
    return bytes === undefined || bytes === '' ? [] : [{ bytes, mimeType: 'application/pdf' }]
  } finally {
    zip.close()
  }
}

export default iworkToPdf
