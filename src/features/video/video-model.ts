import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, blob, complex, double, list, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const videoFacetName = 'Video'
export const infoProperty = 'vid:info'
export const storyboardProperty = 'vid:storyboard'
export const transcodedProperty = 'vid:transcodedVideos'
/** Of pictures of all kinds. */
export const viewsProperty = 'picture:views'

const videoInfo = complex({
  duration: double(),
  ...alike(long(), 'width', 'height'),
  format: string(),
  streams: list(complex({ ...alike(string(), 'streamInfo', 'type', 'codec'), bitRate: double() })),
  frameRate: double(),
})

export const videoSchema = defineSchema('video', {
  prefix: 'vid',
  fields: {
    info: videoInfo,
    transcodedVideos: list(complex({ name: string(), content: blob(), info: videoInfo })),
    storyboard: list(complex({ content: blob(), timecode: double(), comment: string() })),
  },
})

export const videoFacets = [
  defineFacet(videoFacetName, ['file', 'video', 'picture']),
  ...['HasStoryboard', 'HasVideoPreview'].map((name) => defineFacet(name)),
]

export const videoType = defineDocumentType('Video', {
  extends: 'Document',
  schemas: ['common', 'dublincore', 'uid', 'files', 'file', 'video', 'picture', 'facetedTag'],
  facets: ['Commentable', 'Versionable', 'Publishable', 'Video', 'HasStoryboard', 'HasVideoPreview', 'NXTag'],
  lifecycle: 'default',
  icon: '/icons/video.png',
})

export const videosInFolders = ['Folder', 'OrderedFolder', 'Workspace'].map((type) => ({ type, subtypes: ['Video'] }))
