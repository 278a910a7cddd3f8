import { type Converter, converterModule } from '../../core/conversion/converter.ts'

export const audioTypes = ['audio/*']

const module = converterModule(import.meta.url, 'read-audio')

/** What is read from recordings; each by its name alone. Covers are read by us, lengths of all formats by ffprobe. */
export const audioConverters: readonly Converter[] = [
  { name: 'audioInfo', sources: audioTypes, destinations: ['application/x-audio-info'], ways: [{ module, needs: ['ffprobe'] }] },
  {
    name: 'audioCover',
    sources: audioTypes,
    destinations: ['application/x-audio-cover'],
    ways: [{ module, options: { cover: true } }],
  },
]
