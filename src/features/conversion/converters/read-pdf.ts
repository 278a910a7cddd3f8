import { readFile } from 'node:fs/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'
import { readingFile } from '../reading/damaged-file.ts'
import { loadPdf } from '../reading/editable-pdf.ts'
import { withPdf } from '../reading/pdf-document.ts'
import { factsOf, linksOf } from '../reading/pdf-facts.ts'
import { textInBox } from '../reading/pdf-text-box.ts'

/** What is known of a PDF, as JSON: with the option `links` where it leads, else what it says of itself. */
const readPdf: ConverterWork = (job) =>
  readingFile(async () => {
    const found = job.options['links'] === true ? await links(job) : await facts(job)
    return [{ bytes: JSON.stringify(found), mimeType: 'application/json', encoding: 'UTF-8' }]
  })

export default readPdf

type Job = Parameters<ConverterWork>[0]

async function facts({ source, limits }: Job) {
  const bytes = await readFile(source.path)
  const written = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })
  // What somebody else's password keeps from us is left out.
  const document = written.isEncrypted ? await loadPdf(source, limits).catch(unlessRefused(written)) : written
  return factsOf({ bytes, document, written })
}

function unlessRefused(written: PDFDocument): (error: unknown) => PDFDocument {
  return (error) => {
    if (error instanceof ConversionRefusal && !error.isTooLarge) return written
    throw error
  }
}

async function links({ source, limits, parameters }: Job) {
  const found = linksOf(await loadPdf(source, limits, parameters['password']))
  return withPdf(
    source.path,
    (document) =>
      found.map(({ page, subType, link, box }) => ({ page, subType, text: textInBox(document, page - 1, box), link })),
    parameters['password'],
  )
}
