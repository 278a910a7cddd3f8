import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConversionRefusal, type ConverterWork, type MadeFile } from '../../../core/conversion/converter.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { withPdf } from '../reading/pdf-document.ts'
import { encodePicture, shownPage } from '../reading/shown-picture.ts'

// Each becomes a file of its own.
const maxPages = 500

/** A picture of each page; the parameter `fileName` is what their names begin with. */
const pdfPages: ConverterWork = ({ source, parameters, folder }) =>
  readingFile(() =>
    withPdf(
      source.path,
      async (document) => {
        const count = document.getPageCount()
        if (count > maxPages) throw new ConversionRefusal(`It has more than ${maxPages} pages.`, { isTooLarge: true })
        const bare = (parameters['fileName'] || 'page').replace(/\.\w{1,10}$/, '')
        const pages: MadeFile[] = []
        for (let index = 0; index < count; index += 1) {
          const { bytes, mimeType } = await encodePicture(await shownPage(document, index), 'jpeg')
          const path = join(folder, `page-${index + 1}.jpg`)
          await writeFile(path, bytes)
          pages.push({ path, mimeType, name: `${bare}-${index + 1}.jpg` })
        }
        return pages
      },
      parameters['password'],
    ),
  )

export default pdfPages
