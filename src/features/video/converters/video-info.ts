import type { ConverterWork } from '../../../core/conversion/converter.ts'
import { probe } from '../ffmpeg/ffmpeg-run.ts'

/** What is known of a video or a recording, as JSON (`VideoInfo`). */
const videoInfo: ConverterWork = async (job) => [
  { bytes: JSON.stringify(await probe(job, job.source)), mimeType: 'application/json' },
]

export default videoInfo
