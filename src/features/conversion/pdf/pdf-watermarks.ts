import { defineOperation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import { requirePdf } from '../converted-file.ts'
import { editedPdf, givenAmong } from './edited-pdf.ts'

const placing = ['xPosition', 'yPosition', 'invertX', 'invertY', 'relativeCoordinates']
const inWriting = ['fontFamily', 'fontSize', 'rotation', 'hex255Color', 'alphaColor', ...placing]
const asPicture = ['scale', 'alphaColor', ...placing]

export const watermarkWithText = defineOperation({
  id: 'PDF.WatermarkWithText',
  category: 'Conversion',
  description: 'Gives the PDF with a text across each page.',
  effect: 'waits',
  params: { text: required('string'), properties: optional('properties', { description: `How: ${inWriting.join(', ')}` }) },
  run: ({ each }) => [
    each('blob', 'blob', (file, { context, params: { text, properties } }) =>
      editedPdf(context, file, { ...givenAmong(properties, inWriting), edit: 'stampText', text }),
    ),
  ],
})

export const watermarkWithImage = defineOperation({
  id: 'PDF.WatermarkWithImage',
  category: 'Conversion',
  description: 'Gives the PDF with a picture on each page.',
  effect: 'waits',
  params: { image: required('blob'), properties: optional('properties', { description: `How: ${asPicture.join(', ')}` }) },
  run: ({ each }) => [
    each('blob', 'blob', (file, { context, params: { image, properties } }) =>
      editedPdf(context, file, { ...givenAmong(properties, asPicture), edit: 'stampImage' }, [image]),
    ),
  ],
})

export const watermarkWithPdf = defineOperation({
  id: 'PDF.WatermarkWithPDF',
  category: 'Conversion',
  description: 'Gives the PDF with the pages of another one laid over its own, again and again where they are fewer.',
  effect: 'waits',
  params: { overlayPdf: required('blob', { description: 'The PDF that is laid over it' }) },
  run: ({ each }) => [
    each('blob', 'blob', (file, { context, params: { overlayPdf } }) =>
      editedPdf(context, file, { edit: 'stampPdf' }, [requirePdf(overlayPdf)]),
    ),
  ],
})
