import type { Json } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Access } from '../../core/access.ts'
import { type BulkAction, defineBulkAction } from '../../core/bulk/bulk-action.ts'
import { type DerivedFrom, findFile } from '../../core/derived-files.ts'
import { readVideo, type VideoMeans } from './read-video.ts'
import { automaticConversions, transcodeVideo, videoConversions } from './transcoded-videos.ts'
import { videoFacetName } from './video-model.ts'

export const unknownVideoConversion = defineProblem(
  'unknownVideoConversion',
  'invalid',
  (of: { name: string }) =>
    `There is no conversion ${of.name.slice(0, 100)} of videos, only ${[...videoConversions.keys()].join(', ')}.`,
)

async function findVideo({ repository }: Access, id: string): Promise<DerivedFrom | undefined> {
  const document = await repository.store.reader.documents.find(id)
  if (document === undefined || document.isProxy || !repository.model.shapeOf(document).hasFacet(videoFacetName)) return undefined
  const file = findFile(document)
  return file && { document, file }
}

/** The names that a command gives, or those that every video has. @throws unknownVideoConversion */
function namesIn(told: Json | undefined): readonly string[] {
  const names = Array.isArray(told)
    ? told.map(String)
    : typeof told === 'string'
      ? told.split(',').map((name) => name.trim())
      : []
  for (const name of names) if (!videoConversions.has(name)) throw unknownVideoConversion({ name })
  return names.length === 0 ? automaticConversions : names
}

/** What is done to videos that are there already, one after the other, so that the status tells how many are done. */
export const videoBulkActions = (means: VideoMeans): readonly BulkAction[] => [
  defineBulkAction({
    name: 'recomputeVideoInfo',
    isOpen: false,
    findSlowRun: () => async (access, id) => {
      const found = await findVideo(access, id)
      if (found !== undefined) await readVideo(means, found, access.repository, { isAnew: true })
    },
  }),
  defineBulkAction({
    name: 'recomputeVideoConversion',
    isOpen: false,
    check: ({ conversionNames }) => void namesIn(conversionNames),
    findSlowRun:
      ({ parameters }) =>
      async (access, id) => {
        const found = await findVideo(access, id)
        const names = namesIn(parameters['conversionNames'])
        if (found !== undefined) await transcodeVideo(means, found, access.repository, { names, isAnew: true })
      },
  }),
]
