import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, required } from '../../../automation/parameter.ts'
import { readSentProperties } from '../../../automation/values/read-sent-properties.ts'
import { createFolder } from '../create-folder.ts'

export const createFolderOperation = defineOperation({
  id: 'FileManager.CreateFolder',
  category: 'Services',
  description: 'Makes a folder in the document.',
  effect: 'writes',
  params: {
    title: required('string'),
    overwrite: defaulted('boolean', false, { description: 'A folder with the title that is there already serves' }),
    properties: defaulted('properties', {}),
  },
  run: ({ on }) => [
    on('document', 'document', (parent, { session, context, params: { title, overwrite, properties } }) =>
      createFolder(session, {
        parent,
        title,
        overwrite,
        propertiesFor: (folder) => readSentProperties(context, folder, properties),
      }),
    ),
  ],
})
