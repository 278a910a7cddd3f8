import { definePlugin } from '../../plugin/define-plugin.ts'
import { fulltextCommands } from './commands.ts'
import { convertedText } from './converted-text.ts'
import { textExtractors } from './text-extractors.ts'

/** Documents are found by what is in their files. */
export default definePlugin({
  name: 'fulltext',
  requires: ['conversion'],
  commands: fulltextCommands,
  contribute: (_, services) => ({ textExtractors: [...textExtractors, convertedText(services)] }),
})
