import { jsonBlob } from '../../automation/flowing-blob.ts'
import { defineOperation } from '../../automation/operation.ts'
import { optional } from '../../automation/parameter.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { suggestDocuments } from './suggest-documents.ts'
import { suggestGroups, suggestUsers } from './suggest-people.ts'

const suggestersLauncher = defineOperation({
  id: 'Search.SuggestersLauncher',
  category: 'User Interface',
  description: 'Suggests documents, users and groups to somebody who types into a search box.',
  effect: 'reads',
  params: { searchTerm: optional('string', { description: 'What was typed; without it there is nothing to suggest' }) },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params, context: { services } }) => {
      const term = (params.searchTerm ?? '').trim()
      if (term === '') return jsonBlob([])
      return jsonBlob([
        ...(await suggestDocuments(session, term)),
        ...(await suggestUsers(session, services, term)),
        ...(await suggestGroups(session, services, term)),
      ])
    }),
  ],
})

/** What a search box offers while somebody types. */
export default definePlugin({ name: 'suggestions', requires: ['search', 'people'], operations: [suggestersLauncher] })
