import { defineSettings } from '../../settings/define-settings.ts'

export const renderingSettings = defineSettings({
  renderTemplates: {
    type: 'string',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder of text templates that Render.Document and Render.DocumentFeed know as template:NAME',
  },
})
