import { type ConversionJob, ConversionRefusal, type ConverterWork } from '../../../core/conversion/converter.ts'
import { encodersFor, ffmpeg, input } from '../ffmpeg/ffmpeg-run.ts'

/** A video in another format, which is told by the option `extension`; with the parameter `height` in another size. */
const transcodeVideo: ConverterWork = async (job) => {
  const extension = String(job.options['extension'])
  const streams = ['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn', '-map_metadata', '-1']
  const args = [...input(job.source), ...streams, '-vf', scaleFor(job), ...encodersFor(extension)]
  return [{ path: await ffmpeg(job, args, `video.${extension}`), mimeType: job.target }]
}

export default transcodeVideo

const [lowest, highest] = [16, 4_320]

/** Sides are even, as most encoders want them. */
function scaleFor({ parameters: { height = '' } }: ConversionJob): string {
  if (height === '') return 'scale=trunc(iw/2)*2:trunc(ih/2)*2'
  const asked = Number(height)
  if (!Number.isInteger(asked) || asked < lowest || asked > highest)
    throw new ConversionRefusal(`The parameter height must be a whole number from ${lowest} to ${highest}.`)
  return `scale=-2:${asked - (asked % 2)}`
}
