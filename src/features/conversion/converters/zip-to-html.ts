import { escapeHtml } from '../../../base/html/escape-html.ts'
import { findTypeOfName } from '../../../base/mime-types/mime-type.ts'
import type { ConverterWork, MadeFile } from '../../../core/conversion/converter.ts'
import { htmlPage } from '../reading/html-page.ts'
import { openZip } from '../reading/zip-entries.ts'

// Each becomes a file of its own.
const maxFiles = 500

/** An archive as a page that lists it, and a file for each entry; an `index.html` in it comes first (contract: blobs 6.7). */
const zipToHtml: ConverterWork = async (job) => {
  const zip = await openZip(job)
  try {
    const names = zip.names.filter((name) => !name.endsWith('/')).slice(0, maxFiles)
    const files: MadeFile[] = []
    for (const name of names) {
      const bytes = (await zip.bytes(name)) ?? Buffer.alloc(0)
      files.push({ bytes, name, mimeType: findTypeOfName(name) ?? 'application/octet-stream' })
    }
    const index = files.find(({ name }) => name?.includes('index.html'))
    const list = zip.names.map((name) => `<li>${escapeHtml(name)}</li>`)
    const page = index ?? htmlPage(job.source.name, `<ul>\n${list.join('\n')}\n</ul>`)
    return [page, ...files.filter((file) => file !== index)]
  } finally {
    zip.close()
  }
}

export default zipToHtml
