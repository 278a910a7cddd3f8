import sharp from 'sharp'
import { serveBare } from './bare-http.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface PictureSetup {
  readonly file: string
  /** Of the box that the result fits into. */
  readonly side: number
}

// Answers with a small picture of a large one, made anew each time by the library alone, as the server tells it to.
runAsBareProgram(async ({ file, side }: PictureSetup) => {
  sharp.concurrency(1)
  sharp.cache(false)
  return {
    url: await serveBare(async (_, response) => {
      const small = sharp(file, { sequentialRead: true })
        .autoOrient()
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      const bytes = await small.png().toBuffer()
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length }).end(bytes)
    }),
  }
})
