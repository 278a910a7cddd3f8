import type { ConverterWork } from '../../../core/conversion/converter.ts'

const postscriptToPdf: ConverterWork = async ({ run, source, limits }) => {
  // A page description is a program: it may read and write nothing but what it is given.
  const safe = ['-dSAFER', '-dBATCH', '-dNOPAUSE', '-q', `-dLastPage=${limits.pages}`]
  await run('gs', [...safe, '-sDEVICE=pdfwrite', '-sOutputFile=result.pdf', source.path])
  return [{ path: 'result.pdf' }]
}

export default postscriptToPdf
