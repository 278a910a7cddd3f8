import { readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface PdfTextSetup {
  readonly file: string
}

// Answers with the text of a PDF, read anew each time by the library alone.
runAsBareProgram(async ({ file }: PdfTextSetup) => {
  const library = await PDFiumLibrary.init()
  async function readText(): Promise<Buffer> {
    const document = await library.loadDocument(await readFile(file))
    const texts = [...document.pages()].map((page) => page.getText())
    document.destroy()
    return Buffer.from(texts.join('\n\f'))
  }
  return {
    url: await serveBare(async (_, response) => {
      const text = await readText()
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': text.length }).end(text)
    }),
  }
})
