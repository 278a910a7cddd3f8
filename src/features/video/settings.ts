import { defineSettings } from '../../settings/define-settings.ts'

export const videoSettings = defineSettings({
  videoStoryboardMinSeconds: {
    type: 'integer',
    default: 10,
    min: -1,
    max: 86_400,
    help: 'Videos that are at least so long have a storyboard; -1 for none at all',
  },
  videoStoryboardPictures: {
    type: 'integer',
    default: 9,
    min: 1,
    max: 100,
    help: 'Pictures in the storyboard of a video',
  },
  videoPreviewPercent: {
    type: 'integer',
    default: 10,
    min: 0,
    max: 100,
    help: 'Where in a video the picture is taken by which it is shown, in percent of its length',
  },
})
