import { PDFDocument } from '@cantoo/pdf-lib'
import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { drawnPicture } from '../reading/drawn-picture.ts'
import { encodePicture } from '../reading/shown-picture.ts'

/** A page with the picture on it, one point for each pixel. */
const pictureToPdf: ConverterWork = async (job) => {
  const picture = await drawnPicture(job)
  const { hasAlpha } = await picture.metadata()
  const { bytes } = await encodePicture(picture, hasAlpha ? 'png' : 'jpeg')
  const document = await PDFDocument.create()
  const image = await (hasAlpha ? document.embedPng(bytes) : document.embedJpg(bytes))
  document.addPage([image.width, image.height]).drawImage(image, { x: 0, y: 0 })
  return [{ bytes: await document.save(), mimeType: 'application/pdf' }]
}

export default pictureToPdf
