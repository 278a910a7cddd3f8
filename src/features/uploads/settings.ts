import { defineSettings } from '../../settings/define-settings.ts'

export const uploadRouteSettings = defineSettings({
  batchUploadMultipartDisabled: {
    type: 'boolean',
    default: false,
    property: 'platform.batch.upload.multipart.disabled',
    help: 'Take forms that are uploaded as files of their own',
  },
})
